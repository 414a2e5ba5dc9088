"""The actions of the window: one table for menus, keys, toolbar, palette and the shortcut sheet.

What each one does is said in app/window_actions.
"""

from PySide6.QtGui import QKeySequence

from app.browsing_actions import BROWSING_ACTIONS, COPY_ACTION, EXPORT_ACTIONS
from app.filter_actions import FILTER_ACTIONS, SORT_ACTIONS
from app.lineage_actions import EXPORT_ACTION, LINEAGE_ACTIONS
from app.ranking_actions import RANKING_ACTIONS
from app.write_actions import WRITE_ACTIONS
from widgets.action_spec import ActionSpec, Menu, Need

_Key = QKeySequence.StandardKey

ACTIONS = (
    ActionSpec("open", Menu.FILE, "&Open store…", (_Key.Open,)),
    ActionSpec("find_stores", Menu.FILE, "&Find stores…", ("Ctrl+Shift+O",)),
    ActionSpec("demo", Menu.FILE, "Open &demo store"),
    ActionSpec("close_store", Menu.FILE, "&Close store", ("Ctrl+W",), need=Need.STORE),
    ActionSpec("backup", Menu.FILE, "&Back up store", need=Need.STORE, starts_group=True),
    *EXPORT_ACTIONS,
    EXPORT_ACTION,
    ActionSpec("save_search", Menu.FILE, "&Save search…", ("Ctrl+Shift+B",), starts_group=True),
    ActionSpec("quit", Menu.FILE, "&Quit", (_Key.Quit, "Ctrl+Q"), starts_group=True),
    ActionSpec(
        "copy_uuid",
        Menu.EDIT,
        "Copy &uuid",
        ("Ctrl+Shift+C",),
        need=Need.MEMORY,
        in_context_menu=True,
    ),
    ActionSpec(
        "copy_gist",
        Menu.EDIT,
        "Copy &gist",
        list_keys=(_Key.Copy,),
        need=Need.MEMORY,
        in_context_menu=True,
    ),
    ActionSpec(
        "copy_text", Menu.EDIT, "Copy &text", need=Need.MEMORY, in_context_menu=True
    ),
    COPY_ACTION,
    ActionSpec("find", Menu.EDIT, "&Search", (_Key.Find, "/", "Ctrl+2"), starts_group=True),
    ActionSpec("clear", Menu.EDIT, "&Clear search", ("Esc",)),
    *FILTER_ACTIONS,
    ActionSpec(
        "search_all_stores",
        Menu.EDIT,
        "Search &all open stores",
        ("Ctrl+Shift+A",),
        need=Need.STORE,
    ),
    ActionSpec(
        "search_this_store", Menu.EDIT, "Search &only the store in front", need=Need.STORE
    ),
    ActionSpec("preferences", Menu.EDIT, "&Preferences…", ("Ctrl+,",), starts_group=True),
    ActionSpec(
        "palette",
        Menu.VIEW,
        "&Command palette…",
        ("Ctrl+K", "Ctrl+Shift+P"),
        in_palette=False,
    ),
    ActionSpec("refresh", Menu.VIEW, "&Refresh", ("F5",), need=Need.STORE),
    ActionSpec("sidebar", Menu.VIEW, "&Sidebar", ("F9",), starts_group=True, is_checkable=True),
    ActionSpec("dock", Menu.VIEW, "Ran&king panels", ("Shift+F9",), is_checkable=True),
    ActionSpec("next_pane", Menu.VIEW, "&Next pane", ("F6",), starts_group=True),
    ActionSpec("previous_pane", Menu.VIEW, "&Previous pane", ("Shift+F6",)),
    *SORT_ACTIONS,
    ActionSpec("back", Menu.GO, "&Back", ("Alt+Left",), need=Need.WAY_BACK),
    ActionSpec("forward", Menu.GO, "&Forward", ("Alt+Right",), need=Need.WAY_FORWARD),
    ActionSpec(
        "quick_open", Menu.GO, "&Quick open…", ("Ctrl+P",), need=Need.STORE, starts_group=True
    ),
    ActionSpec("browse", Menu.GO, "&All memories", ("Ctrl+1",), need=Need.STORE),
    *LINEAGE_ACTIONS,
    *BROWSING_ACTIONS,
    ActionSpec(
        "explain",
        Menu.GO,
        "&Explain this rank",
        ("Ctrl+E",),
        need=Need.MEMORY,
        in_context_menu=True,
        starts_group=True,
    ),
    ActionSpec(
        "replacement", Menu.GO, "Its &replacement", need=Need.REPLACEMENT, in_context_menu=True
    ),
    ActionSpec(
        "end_of_chain",
        Menu.GO,
        "The e&nd of its chain",
        need=Need.LATER_REPLACEMENT,
        in_context_menu=True,
    ),
    ActionSpec(
        "similar", Menu.GO, "&Similar memories…", need=Need.MEMORY, in_context_menu=True
    ),
    *WRITE_ACTIONS,
    *RANKING_ACTIONS,
    ActionSpec("shortcuts", Menu.HELP, "&Keyboard shortcuts", ("F1",), list_keys=("?",)),
    ActionSpec("about", Menu.HELP, "&About Genizah"),
)
