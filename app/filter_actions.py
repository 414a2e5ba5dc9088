"""The part of the action table about filters, and about the order of lists that nothing ranks."""

from app.filter_orders import SORT_NAMES
from widgets.action_spec import ActionSpec, Menu, Need

FILTER_ACTIONS = (
    ActionSpec("clear_filters", Menu.EDIT, "Take the &filters out", need=Need.STORE),
    ActionSpec("search_in_words", Menu.EDIT, "This search in &words…", need=Need.STORE),
)
SORT_ACTIONS = (
    *(
        ActionSpec(
            f"sort_{column.value}",
            Menu.SORT,
            text,
            need=Need.UNRANKED,
            is_checkable=True,
        )
        for column, text in SORT_NAMES.items()
    ),
    ActionSpec(
        "sort_other_way", Menu.SORT, "The &other way round", need=Need.UNRANKED, starts_group=True
    ),
)
