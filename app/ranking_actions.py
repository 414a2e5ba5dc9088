"""The part of the action table about rankings: what if, comparing, baselines, grades."""

from widgets.action_spec import ActionSpec, Menu, Need

_MENU = Menu.RANKING
_GRADES = ("of no use", "touches it", "helps", "exactly this")

RANKING_ACTIONS = (
    ActionSpec("why_not", _MENU, "Why &not…", ("Ctrl+Shift+E",), need=Need.RANKING),
    ActionSpec("explain_search", _MENU, "Explain &this search", need=Need.RANKING),
    ActionSpec("copy_why_markdown", _MENU, "Copy explanation as &Markdown", need=Need.RANKING),
    ActionSpec("copy_why_json", _MENU, "Copy explanation as &JSON", need=Need.RANKING),
    ActionSpec("what_if", _MENU, "&What if", ("Ctrl+Shift+R",), need=Need.STORE, starts_group=True),
    ActionSpec("rank_chart", _MENU, "Rank c&hart", need=Need.STORE),
    ActionSpec("what_if_reset", _MENU, "&Reset to the agent's own numbers", need=Need.RANKING),
    ActionSpec(
        "compare",
        _MENU,
        "&Compare two memories",
        list_keys=("Ctrl+D",),  # in a text it deletes a character on some desktops
        need=Need.RANKED_MEMORY,
        in_context_menu=True,
        starts_group=True,
    ),
    ActionSpec("compare_query", _MENU, "Compare with another &query…", need=Need.RANKING),
    ActionSpec("compare_settings", _MENU, "Compare what if with &own…", need=Need.RANKING),
    ActionSpec(
        "pin_baseline",
        _MENU,
        "&Pin baseline…",
        ("Ctrl+Shift+D",),
        need=Need.RANKING,
        starts_group=True,
    ),
    ActionSpec("baselines", _MENU, "&Baselines…", need=Need.STORE),
    *(
        ActionSpec(
            f"grade_{grade}",
            _MENU,
            f"Grade &{grade}: {words}",
            (f"Alt+{grade}",),
            need=Need.RANKED_MEMORY,
            starts_group=grade == 0,
        )
        for grade, words in enumerate(_GRADES)
    ),
    ActionSpec("grade_clear", _MENU, "C&lear grade", ("Alt+-",), need=Need.RANKED_MEMORY),
    ActionSpec(
        "quality", _MENU, "Quality of this &search…", need=Need.RANKING, starts_group=True
    ),
    ActionSpec("run_graded", _MENU, "Run &graded searches…", need=Need.STORE),
    ActionSpec("export_grades", _MENU, "&Export grades…", need=Need.STORE),
    ActionSpec("import_grades", _MENU, "&Import grades…", need=Need.STORE),
)
