"""The explanation's lines: in pipeline order, the numbers put in to the last bit."""

import pytest

from core.explain.steps.lines import LineStyle, Step
from core.retrieval.arms import ArmReport, StopReason
from core.retrieval.query import DenseQuery, PreparedQuery, lexical_query
from tests.widgets.builders import (
    MEANING_OFF,
    WORDS_SKIPPED,
    Found,
    head,
    outcome,
    pool,
    uuid_of,
)
from tests.widgets.explanations import Told, why
from widgets.why_lines import as_text


def step(content: Told, title: str) -> Step:
    """Return one step."""
    return next(s for s in content.steps if s.title == title)


def said(content: Told, title: str) -> list[str]:
    """Return the lines of one step as text."""
    told = as_text("", [step(content, title)]).splitlines()
    return [line.removeprefix("  ") for line in told[3:]]


def test_the_steps_come_in_pipeline_order() -> None:
    titles = [s.title for s in why(pool(3), 1).steps]
    assert titles == [
        "Query",
        "Snapshot",
        "Eligibility",
        "Meaning arm",
        "Word arm",
        "Fusion",
        "Demotion",
        "Order",
        "Repair",
        "Cut",
        "What takes it out of the first 5",
        "Provenance",
    ]


def test_fusion_shows_each_arms_share_and_the_sum_to_the_last_bit() -> None:
    content = why(outcome([Found(head(1), words=7, meaning=2)]), 1)
    first = step(content, "Fusion").lines[0]
    assert first.label == "meaning #2 + words #7"
    assert first.value == (
        "1/(60+2) + 1/(60+7) = 0.016129032258064516 + 0.014925373134328358 = 0.031054405392392875"
    )
    put_in, values, total = first.value.split(" = ")
    assert eval(put_in) == eval(values) == float(total) == 1 / 62 + 1 / 67


def test_an_absent_arm_is_drawn_as_absent() -> None:
    content = why(outcome([Found(head(1), words=None, meaning=1), Found(head(2), 1, None)]), 1)
    assert said(content, "Fusion")[:2] == [
        "meaning #1: 1/(60+1) = 0.01639344262295082",
        "words: absent, adds nothing",
    ]
    assert said(content, "Word arm")[0] == "no rank: no word of the query occurs in it"
    assert step(content, "Word arm").lines[0].style is LineStyle.ABSENT


def test_a14_the_scale_says_that_a_small_number_is_a_good_one() -> None:
    assert said(why(pool(1), 1), "Fusion")[-1] == (
        "scale: 0.01639344262295082 is first in one arm, 0.03278688524590164 first in both"
    )


def test_the_arms_say_rank_distance_bm25_and_why_they_stopped() -> None:
    content = why(outcome([Found(head(1), words=7, meaning=2)]), 1)
    assert said(content, "Meaning arm") == [
        "rank: #2 of 900",
        "distance: 0.75 (L2, smaller is nearer)",
        "part 1 of 1: 0.75 (the nearest, chunk 77)",
        "stopped: it had found enough: more memories match than are ranked "
        "(51 memories found, widened 0 times)",
    ]
    assert said(content, "Word arm")[:2] == [
        "rank: #7 of 900",
        "bm25 in all: -3.125 (more negative is better)",
    ]


@pytest.mark.parametrize("stop", list(StopReason))
def test_every_stop_reason_has_words_of_its_own(stop: StopReason) -> None:
    report = ArmReport(True, 9, stop)
    found = outcome([Found(head(1), 1, 1)], dense=report)
    (line,) = [t for t in said(why(found, 1), "Meaning arm") if t.startswith("stopped")]
    assert stop.value not in line and "9 memories found" in line


def test_an_arm_that_did_not_run_says_why() -> None:
    content = why(outcome([Found(head(1), 1, None)], dense=MEANING_OFF), 1)
    assert said(content, "Meaning arm") == ["did not run: The model is not on this machine."]
    content = why(outcome([Found(head(1), None, 1)], "…", lexical=WORDS_SKIPPED), 1)
    assert said(content, "Word arm") == ["did not run: The query has no letter or digit."]
    assert "terms: nothing to search by words: no letter or digit" in said(content, "Query")


def test_demotion_multiplies_and_says_what_it_costs() -> None:
    old = head(1, active=False, by=uuid_of(99))
    content = why(outcome([Found(old, 1, 1), Found(head(2), 2, 2)]), 1)
    assert said(content, "Demotion") == [
        "replaced by 00000063: 0.03278688524590164 × 0.5 = 0.01639344262295082",
        "if it were live: #1 instead of #2, 1 place lost",
    ]
    assert said(why(pool(1), 1), "Demotion") == [
        "live, none: 0.03278688524590164 × 1.0 = 0.03278688524590164"
    ]


def test_the_five_keys_are_shown_with_the_one_that_decided_on_either_side() -> None:
    found = outcome(
        [
            Found(head(1, "best"), 1, 1),
            Found(head(2, "tied long-term", tier="long_term"), 3, None),
            Found(head(3, "tied journal"), None, 3),
        ]
    )
    keys = said(why(found, 2), "Order")
    assert keys[:5] == [
        "1 score: 0.015873015873015872 (higher first)",
        "2 best rank: #3 in one arm, lower first",
        "3 tier: long-term, long-term first",
        "4 created: 2026-03-04T10:20:30.123456+00:00, not compared",
        f"5 uuid: {uuid_of(2)}, in order of the text",
    ]
    assert keys[5] == (
        "above: #1 00000001, score decided, 0.03278688524590164 > 0.015873015873015872 “best”"
    )
    assert keys[6] == (
        "below: #3 00000003, "
        "tier decided, long-term before journal (scores and ranks equal) “tied journal”"
    )


def test_a_tie_in_score_is_decided_by_the_better_rank() -> None:
    # 0.5 * (1/(60+12) + 1/(60+30)) = 1/(60+20): replaced, found by both; live, found by one.
    old = head(1, active=False, by=uuid_of(99))
    found = outcome([Found(old, 12, 30), Found(head(2), 20, None)])
    assert found.hits[0].fused_score == found.hits[1].fused_score == 1 / 80
    below = said(why(found, 1), "Order")[6]
    assert "best rank decided, #12 < #20 (scores equal)" in below


def test_a15_the_repair_says_where_the_row_was_and_which_replacement_passed() -> None:
    old = head(1, "old", active=False, by=uuid_of(2))
    found = outcome([Found(old, 1, 1), Found(head(2, "new"), 40, None)])
    assert said(why(found, 1), "Repair") == [
        "position: #1 before, #2 after: moved down 1 place",
        "below its replacement: #1 00000002 “new”",
        "other rows moved: 00000002 #2 → #1",
    ]
    assert "the repair decided" in said(why(found, 1), "Order")[5]
    assert said(why(pool(1), 1), "Repair") == ["did not move"]


def test_a_row_on_a_cycle_says_so() -> None:
    first = head(1, active=False, by=uuid_of(2))
    second = head(2, active=False, by=uuid_of(1))
    found = outcome([Found(first, 1, 1), Found(second, 2, 2)])
    assert "cycle" in said(why(found, 1), "Repair")[0]


def test_the_cut_says_inside_or_by_how_much_not() -> None:
    assert said(why(pool(7), 5), "Cut") == ["limit 5: inside, #5 of 7"]
    gap = 2 / 65 - 2 / 67
    assert said(why(pool(7), 7), "Cut") == [
        "limit 5: below by 2 places, #7 of 7: a search for 5 ends before it",
        f"gap: {gap!r} (to the last row inside)",
    ]


def test_eligibility_counts_each_stage() -> None:
    assert said(why(pool(1), 1), "Eligibility") == [
        "all rows: 1,300 memories, this one among them",
        "after state: 1,234 memories, this one among them",
    ]


def test_settings_come_with_their_source() -> None:
    assert said(why(pool(1), 1), "Snapshot") == [
        "/home/x/.zikaron/memory.db",
        "1,234 memories, 1,300 chunks",
        "retrieval.rrf_k = 60 (default)",
    ]


def test_a_truncated_query_shows_its_tail_struck_through() -> None:
    text = "  the kept words and the lost tail"
    dense = DenseQuery(b"", tokens=9, kept="the kept words", truncated=True, prefix="query: ")
    asked = PreparedQuery(text, None, lexical_query(text, 3), dense)
    content = why(outcome([Found(head(1), 1, 1)], query=asked), 1)
    query = step(content, "Query").lines
    assert said(content, "Query") == [
        "as typed: “  the kept words and the lost tail”",
        "prefix: “query: ”",
        "tokens: 9 in the text",
        "embedded: “the kept words”",
        "cut off, not embedded:  and the lost tail",
        "terms: words, kept, lost",
        "dropped by the cap: tail, the, and",
        'expression: "words" OR "kept" OR "lost"',
    ]
    assert [line.label for line in query if line.style is LineStyle.STRUCK] == [
        "cut off, not embedded",
        "dropped by the cap",
    ]


def test_hostile_text_is_marked_in_the_explanation_too() -> None:
    found = outcome([Found(head(1, "up\u202eside"), 1, 1), Found(head(2), 2, 2)], "pay\u200bpal")
    text = as_text("x", why(found, 2).steps)
    assert "pay⟨U+200B⟩pal" in text and "up⟨U+202E⟩side" in text
    assert "\u200b" not in text and "\u202e" not in text


def test_a_query_of_many_words_is_shortened() -> None:
    text = " ".join(f"word{n}" for n in range(30_000))
    text_lines = as_text("", why(outcome([Found(head(1), 1, 1)], text), 1).steps)
    assert len(text_lines) < 12_000
    assert "more characters)" in text_lines


def test_the_copied_text_begins_with_the_sentence() -> None:
    content = why(pool(3), 2)
    text = as_text(content.sentence, content.steps)
    assert text.startswith(
        "Second because both arms found it (words #2, meaning #2); "
        "#1 stands above it by its score.\n\nQuery\n"
    )


def test_the_state_margin_says_what_being_live_would_do() -> None:
    live = why(pool(7), 7)
    assert "state: it is live already" in said(live, "What brings it into the first 5")
    old = head(1, active=False, by=uuid_of(2))
    found = outcome([Found(old, 1, 1), *(Found(head(n), n, n) for n in range(2, 9))])
    inside = why(found, 1, limit=8)
    told = said(inside, "What takes it out of the first 8")
    assert "state: being live would not take it out (now superseded)" in told
    last = Found(head(9, active=False), 9, 9)
    retired = outcome([*(Found(head(n), n, n) for n in range(1, 9)), last])
    told = said(why(retired, 9, limit=2), "What brings it into the first 2")
    assert "state: being live would not be enough (now retired)" in told
