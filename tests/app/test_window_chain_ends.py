"""In the results a replaced row names its replacement and the end of its chain."""

from pathlib import Path

from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store, distractors, uuid_of
from tests.support.window_stores import stub, stub_services
from widgets.row_model import ROW_ROLE


def aside(opened: OpenWindow, name: str) -> str:
    """Return the end of a row's second line; the whole of it is spoken and in the tooltip."""
    model = opened.window.hit_view.list.model()
    rows = [model.index(n, 0).data(ROW_ROLE) for n in range(model.rowCount())]
    (row,) = [r for r in rows if r.uuid == uuid_of(name)]
    return str(row.aside)


async def test_a17_a_replaced_row_names_its_replacement_and_where_the_chain_ends(
    tmp_path: Path,
) -> None:
    rows = [
        Memory("head", "quite another thing", "nothing of the query"),
        Memory("middle", "zarquon second", by="head"),
        Memory("first", "zarquon first", by="middle"),
        Memory("gone", "given up", active=False),
        Memory("lost", "zarquon third", by="gone"),
    ]
    project = build_store(tmp_path / "project", [*rows, *distractors(80)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("zarquon")
        head, middle, gone = (uuid_of(n)[:4] for n in ("head", "middle", "gone"))
        assert outcome.hit(uuid_of("first")) is not None
        assert aside(opened, "middle") == f"replaced by {head}… (live) quite another thing"
        assert aside(opened, "first") == (
            f"replaced by {middle}… → {head}… (live) quite another thing"
        )
        assert row_words(opened, "first").endswith(
            f"replaced by {middle}… zarquon second; the chain ends at "
            f"{head}… quite another thing (live)"
        )
        assert "replaced by a memory that is itself retired: " in row_words(opened, "lost")
        assert f"{gone}… given up" in row_words(opened, "lost")


def row_words(opened: OpenWindow, name: str) -> str:
    """Return everything a row speaks."""
    model = opened.window.hit_view.list.model()
    rows = [model.index(n, 0).data(ROW_ROLE) for n in range(model.rowCount())]
    (row,) = [r for r in rows if r.uuid == uuid_of(name)]
    return str(row.spoken)
