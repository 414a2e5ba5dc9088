"""The part of the action table about the lineage."""

from widgets.action_spec import ActionSpec, Menu, Need

LINEAGE_ACTIONS = (
    ActionSpec("lineage", Menu.GO, "&Lineage", ("Ctrl+3",), need=Need.STORE),
    ActionSpec(
        "local_lineage",
        Menu.GO,
        "Lineage of &this memory",
        need=Need.MEMORY,
        in_context_menu=True,
    ),
)

EXPORT_ACTION = ActionSpec("export_lineage", Menu.FILE, "Export &lineage…", need=Need.STORE)
