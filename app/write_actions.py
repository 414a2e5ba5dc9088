"""The part of the action table about changing memories: staging, committing, history."""

from PySide6.QtGui import QKeySequence

from widgets.action_spec import ActionSpec, Menu, Need

_MENU = Menu.MEMORY
_Key = QKeySequence.StandardKey

WRITE_ACTIONS = (
    ActionSpec("new_memory", _MENU, "&New memory…", (_Key.New,), need=Need.TEXT_WRITER),
    ActionSpec(
        "amend",
        _MENU,
        "&Amend…",
        ("F2",),
        need=Need.AMENDABLE,
        in_context_menu=True,
        starts_group=True,
    ),
    ActionSpec(
        "replace_text",
        _MENU,
        "Replace with a new &text…",
        need=Need.AMENDABLE,
        in_context_menu=True,
    ),
    ActionSpec(
        "supersede",
        _MENU,
        "&Supersede by…",
        ("Ctrl+Shift+U",),
        need=Need.RETIRABLE,
        in_context_menu=True,
    ),
    ActionSpec(
        "into_one",
        _MENU,
        "Supersede selected by &one of them…",
        need=Need.SEVERAL,
        in_context_menu=True,
    ),
    ActionSpec(
        "retire",
        _MENU,
        "&Retire (stage)",
        list_keys=("Del",),
        need=Need.RETIRABLE,
        in_context_menu=True,
    ),
    ActionSpec(
        "restore", _MENU, "Restore as a co&py…", need=Need.RESTORABLE, in_context_menu=True
    ),
    ActionSpec("commit", _MENU, "&Commit…", (_Key.Save,), need=Need.STAGED, starts_group=True),
    ActionSpec("blast_radius", _MENU, "&Blast radius…", need=Need.STAGED),
    # In a text these keys undo and redo what was typed there.
    ActionSpec("undo_staged", _MENU, "&Undo staging", list_keys=("Ctrl+Z",), need=Need.UNDOABLE),
    ActionSpec(
        "redo_staged", _MENU, "Redo sta&ging", list_keys=("Ctrl+Shift+Z",), need=Need.REDOABLE
    ),
    ActionSpec(
        "discard_pending",
        _MENU,
        "&Discard pending",
        list_keys=("Ctrl+Shift+Backspace",),
        need=Need.STAGED,
    ),
    ActionSpec(
        "text_history",
        _MENU,
        "&History of this text…",
        need=Need.MEMORY,
        in_context_menu=True,
        starts_group=True,
    ),
    ActionSpec("inbox", _MENU, "Changed while you were a&way…", need=Need.STORE),
)
