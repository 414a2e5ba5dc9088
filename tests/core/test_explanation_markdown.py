"""An explanation as Markdown: sentence, numbers, object; hostile text stays text."""

import json
from pathlib import Path

import pytest

from core.documents.explanation_document import explanation_document
from core.documents.explanation_markdown import explanation_markdown, explanation_text
from core.documents.stored_line import markdown_line, stored_line
from core.explain.sentence import sentence_of
from core.explain.steps.explanation import Snapshot
from tests.support.engine import open_engine
from tests.support.explaining import explained
from tests.support.stores import Memory, build_store, distractors, uuid_of

_HOSTILE = (
    "# a\n```\n<script>x</script> [l](javascript:y) ![i](z) **b** `c` |d| http://e www.f.g &amp;"
)


async def test_the_sentence_comes_first_the_numbers_second_the_object_third(
    tmp_path: Path,
) -> None:
    row = Memory("a", "script", _HOSTILE, session_id=_HOSTILE)
    async with open_engine(build_store(tmp_path / "p", [row, *distractors(3)])) as engine:
        e = await explained(engine, await engine.by_words(_HOSTILE), uuid_of("a"))
    text = explanation_markdown(e, Snapshot((), ()))
    before, fenced = text.split("\n```json\n")
    assert json.loads(fenced.removesuffix("\n```\n")) == explanation_document(e)
    assert fenced.count("\n```") == 1
    first, *rest = before.splitlines()
    assert first == f"**{markdown_line(sentence_of(e))}**"
    assert all(line == "" or line.startswith(("### ", "- ")) for line in rest)
    body = "\n".join(rest)
    assert "\\<script\\>" in body
    for acting in ("[", "]", "`", "<", ">", "|", "*", "&", ":/", "www."):
        assert acting not in body.replace("\\" + acting[0], ""), acting
    assert "www\\." in body


@pytest.mark.parametrize(
    ("text", "plain", "markdown"),
    [
        ("a\n\tb", "a b", "a b"),
        ("0.0163 = 1/(60+1)", "0.0163 = 1/(60+1)", "0.0163 \\= 1/(60+1)"),
        ("snake_case *b*", "snake_case *b*", "snake\\_case \\*b\\*"),
        ("[a](b)", "[a](b)", "\\[a\\](b)"),
        ("a\\", "a\\", "a\\\\"),
        ("<b> &lt; `x`", "<b> &lt; `x`", "\\<b\\> \\&lt; \\`x\\`"),
        ("WWW.a.b me@c.d", "WWW.a.b me@c.d", "WWW\\.a.b me\\@c.d"),
        ("\u202ex\ud800\x00", "⟨U+202E⟩x⟨U+D800⟩⟨U+0000⟩", "⟨U+202E⟩x⟨U+D800⟩⟨U+0000⟩"),
        ("設備 café", "設備 café", "設備 café"),
    ],
)
def test_text_stays_text(text: str, plain: str, markdown: str) -> None:
    assert stored_line(text) == plain
    assert markdown_line(text) == markdown


async def test_a_long_gist_of_a_neighbour_ends_in_an_ellipsis(tmp_path: Path) -> None:
    long = "tide " * 30
    rows = [Memory("a", "tide tide"), Memory("b", long), *distractors(3)]
    async with open_engine(build_store(tmp_path / "p", rows)) as engine:
        e = await explained(engine, await engine.by_words("tide"), uuid_of("a"))
    told = explanation_text(e, Snapshot((), ())).splitlines()
    beside = [line for line in told if "“tide t" in line]
    assert len(beside) == 1
    assert beside[0].endswith("…”")
