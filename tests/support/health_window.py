"""A window that shows the health of small stores: hands and eyes for its page."""

from app.health_controller import HealthController
from tests.support.open_window import OpenWindow, spoken_rows


def serving(opened: OpenWindow) -> HealthController:
    """Return what serves the page."""
    controller = opened.controller.pages.of("health")
    assert isinstance(controller, HealthController)
    return controller


def findings(opened: OpenWindow) -> list[str]:
    """Return what a screen reader says of each finding."""
    return spoken_rows(serving(opened).page.findings.list)


def words(opened: OpenWindow) -> str:
    """Return the sentence above the findings."""
    return serving(opened).page.words.text()
