"""The part of the action table about pages that stand in place of the lists."""

from widgets.action_spec import ActionSpec, Menu, Need

BROWSING_ACTIONS = (
    ActionSpec("timeline", Menu.GO, "Ti&meline", ("Ctrl+4",), need=Need.STORE),
    ActionSpec("audit", Menu.GO, "What the agent was sho&wn", ("Ctrl+5",), need=Need.STORE),
    ActionSpec("duplicates", Menu.GO, "&Duplicates", ("Ctrl+6",), need=Need.STORE),
    ActionSpec("health", Menu.VIEW, "&Health of the stores", need=Need.STORE, starts_group=True),
)

EXPORT_ACTIONS = (
    ActionSpec("export_list", Menu.FILE, "E&xport list…", need=Need.STORE),
    ActionSpec("export_selection", Menu.FILE, "Export selec&ted…", need=Need.MEMORY),
)

COPY_ACTION = ActionSpec(
    "copy_markdown", Menu.EDIT, "Copy as &Markdown", need=Need.MEMORY, in_context_menu=True
)
