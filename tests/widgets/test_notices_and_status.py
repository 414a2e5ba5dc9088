"""What stays on screen: banners of degraded modes and the status bar."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.notices import Notice, NoticeCode
from core.readmodels import StateCounts
from widgets.badges import BadgeRow
from widgets.notice_bar import NoticeBar
from widgets.plain import LinkButton
from widgets.status_strip import ArmStatus, StatusStrip
from widgets.theme import Scheme, apply_theme, banner_palette, palette_of

NOTICES = [
    Notice(NoticeCode.NO_ARTIFACT, "Meaning search off: <b>no model</b>."),
    Notice(NoticeCode.STATIC_VIEW, "Static view."),
    Notice(NoticeCode.SYMLINK, "Reached through a link\u202e."),
    Notice(NoticeCode.NEWER_SCHEMA, "A newer schema."),
]


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    apply_theme(qapp, Scheme.LIGHT)


def _bar(qtbot: QtBot) -> NoticeBar:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.hide()
    return bar


def _says(bar: NoticeBar) -> list[str]:
    return [label.text() for label in bar.findChildren(QLabel) if label.isVisible()]


def test_a_notice_is_shown_whole_with_its_code(qtbot: QtBot) -> None:
    bar = _bar(qtbot)
    bar.set_notices(NOTICES[:1])
    assert bar.isVisible()
    assert _says(bar) == ["Meaning search off: <b>no model</b>.", "no_artifact"]


def test_without_notices_there_is_no_bar(qtbot: QtBot) -> None:
    bar = _bar(qtbot)
    bar.set_notices(NOTICES)
    bar.set_notices([])
    assert not bar.isVisible()


def test_of_many_notices_two_are_shown_and_the_rest_on_demand(qtbot: QtBot) -> None:
    bar = _bar(qtbot)
    bar.set_notices(NOTICES)
    (more,) = bar.findChildren(LinkButton)
    assert len(_says(bar)) == 4
    assert more.text() == "Show 2 more notices"
    more.click()
    assert "Reached through a link⟨U+202E⟩." in _says(bar)
    assert len(_says(bar)) == 8
    more.click()
    assert len(_says(bar)) == 4


def test_the_same_notice_twice_is_one_banner(qtbot: QtBot) -> None:
    bar = _bar(qtbot)
    bar.set_notices([NOTICES[1], NOTICES[1]])
    assert _says(bar) == ["Static view.", "static_view"]


def test_banners_and_badges_follow_the_theme(theme: QApplication, qtbot: QtBot) -> None:
    apply_theme(theme, Scheme.LIGHT)
    bar, badges = _bar(qtbot), BadgeRow()
    qtbot.addWidget(badges)
    bar.set_notices(NOTICES)
    badges.set_badges(["damaged text"])
    apply_theme(theme, Scheme.DARK)
    dark = banner_palette(palette_of(Scheme.DARK)).window().color()
    qtbot.waitUntil(lambda: bar.palette().window().color() == dark, timeout=1000)
    (badge,) = badges.findChildren(QLabel)
    qtbot.waitUntil(lambda: badge.palette().window().color() == dark, timeout=1000)


def test_the_strip_says_that_looking_changes_nothing_and_counts_all(qtbot: QtBot) -> None:
    strip = StatusStrip()
    qtbot.addWidget(strip)
    assert strip.words() == (
        "Read-only: looking changes nothing | no store open | words – | meaning –"
    )
    strip.set_store("demo", StateCounts(120, 25, 8))
    strip.set_words(ArmStatus.RAN)
    strip.set_meaning(ArmStatus.RAN)
    assert strip.words() == (
        "Read-only: looking changes nothing | demo | "
        "– 153 memories: 120 live · 25 replaced · 8 retired | words ✓ | meaning ✓"
    )


@pytest.mark.parametrize(
    ("status", "reason", "words"),
    [
        (ArmStatus.OFF, "no <model>", "meaning off: no <model>"),
        (ArmStatus.LOADING, "", "meaning: loading model…"),
        (ArmStatus.REFINING, "", "meaning: refining…"),
    ],
)
def test_an_arm_that_has_not_answered_says_why(
    qtbot: QtBot, status: ArmStatus, reason: str, words: str
) -> None:
    strip = StatusStrip()
    qtbot.addWidget(strip)
    strip.set_meaning(status, reason)
    assert strip.words().endswith(words)


def test_a_closed_store_leaves_no_counts(qtbot: QtBot) -> None:
    strip = StatusStrip()
    qtbot.addWidget(strip)
    strip.set_store("demo", StateCounts(1, 0, 0))
    strip.clear_store()
    assert "memor" not in strip.words()
