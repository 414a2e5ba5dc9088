"""What the lists of the audit page call the changes that they tell of."""

from pathlib import Path

from tests.support.browsing import HARBOUR, audit_page, show_page, told
from tests.support.event_logs import LogOf
from tests.support.open_window import open_window
from tests.support.several import store_of
from tests.support.stores import uuid_of
from tests.support.window_stores import stub, stub_services
from widgets.audit_content import AuditList


async def test_what_was_replaced_after_it_was_shown_is_not_called_retired(tmp_path: Path) -> None:
    project = store_of(tmp_path / "harbour", HARBOUR)
    log = LogOf()
    log.prompt("morning", "old", "gone")
    log.did("morning", "retire", "old", superseded_by=uuid_of("tide"))
    log.did("morning", "retire", "gone", superseded_by=None)
    log.write(project)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await show_page(opened, "audit")
        audit_page(opened).show_lists(AuditList.MISLEADING)
        await opened.controller.settled()
        said = {gist: words.split(",")[0] for gist, words in told(audit_page(opened).listed)}
        assert said == {
            "tide tables are printed": "replaced 2026-03-01 12:00",
            "the gauge is broken": "retired 2026-03-01 12:00",
        }
