"""The What-if panel: what can be turned, what it says, what is copied."""

import tomllib
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.settings import SETTING_TABLE, RetrievalSettings
from tests.widgets.keys import press, type_text
from widgets.what_if_content import (
    RRF_KS,
    STOPS,
    KnobName,
    Knobs,
    config_lines,
    nearest_stop,
)
from widgets.what_if_panel import WhatIfPanel

OWN = Knobs()


@pytest.fixture
def panel(qtbot: QtBot) -> WhatIfPanel:
    panel = WhatIfPanel()
    qtbot.addWidget(panel)
    panel.show_knobs(OWN, OWN)
    panel.show()
    return panel


def test_the_sliders_reach_what_they_promise() -> None:
    assert (RRF_KS[0], RRF_KS[-1]) == (1, 1000)
    assert 60 in RRF_KS, "the usual value has a stop of its own"
    assert STOPS[KnobName.LIMIT] == tuple(range(1, 51))
    for name in (KnobName.SUPERSESSION_PENALTY, KnobName.RETIRED_PENALTY):
        assert STOPS[name][:2] == (0.05, 0.1)
        assert STOPS[name][-1] == 1.0
        assert len(STOPS[name]) == 20
    assert STOPS[KnobName.FUSION_DEPTH][-1] == SETTING_TABLE["retrieval.fusion_depth"].high


def test_a_stop_on_the_rrf_k_slider_is_never_more_than_a_tenth_from_the_next() -> None:
    far = [(a, b) for a, b in pairwise(RRF_KS) if b - a > max(1, a / 10)]
    assert far == []


@pytest.mark.parametrize(
    ("value", "stop"), [(0.0, 0.05), (0.33, 0.35), (0.5, 0.5), (0.52, 0.5), (7.0, 1.0)]
)
def test_a_value_between_the_stops_stands_at_the_nearest(value: float, stop: float) -> None:
    stops = STOPS[KnobName.RETIRED_PENALTY]
    assert stops[nearest_stop(stops, value)] == stop


def test_only_changed_settings_are_written_in_their_section() -> None:
    tried = Knobs(rrf_k=20, retired_penalty=1.0, limit=9)
    assert config_lines(tried, OWN) == "[retrieval]\nrrf_k = 20\nretired_penalty = 1.0\n"
    assert tomllib.loads(config_lines(tried, OWN)) == {
        "retrieval": {"rrf_k": 20, "retired_penalty": 1.0}
    }
    assert config_lines(OWN, OWN) == ""
    assert config_lines(Knobs(limit=9), OWN) == "", "the limit is no setting of a store"


def test_every_copied_line_is_a_setting_that_the_store_takes() -> None:
    tried = Knobs(rrf_k=1, supersession_penalty=0.05, retired_penalty=1.0, fusion_depth=500)
    for name, value in tomllib.loads(config_lines(tried, OWN))["retrieval"].items():
        spec = SETTING_TABLE[f"retrieval.{name}"]
        assert spec.accepts_type(value) and spec.in_range(value), name


def test_knobs_change_the_settings_they_name_and_no_other() -> None:
    settings = RetrievalSettings(chunk_overfetch=3, embed_prefix_query="x")
    tried = Knobs.of(settings, 5).turned(KnobName.RRF_K, 7.0).turned(KnobName.LIMIT, 3.0)
    assert tried.settings(settings) == RetrievalSettings(
        rrf_k=7, chunk_overfetch=3, embed_prefix_query="x"
    )
    assert tried.limit == 3


def test_an_arrow_key_turns_a_knob_and_everything_says_so(panel: WhatIfPanel) -> None:
    spy = QSignalSpy(panel.turned)
    knob = panel.knobs[KnobName.RRF_K]
    press(knob.slider, Qt.Key.Key_Right)
    after_60 = RRF_KS[RRF_KS.index(60) + 1]
    assert spy.count() == 1
    assert spy.at(0)[0] == Knobs(rrf_k=after_60)
    assert knob.spin.value() == after_60
    assert panel.said() == (
        f"What if: not the agent's list: rrf_k {after_60} instead of 60."
    )
    assert knob.slider.accessibleDescription() == f"{after_60}, the agent's own is 60"
    assert knob.note.text() == "≠ own 60"


def test_a_typed_number_counts_once_it_is_whole(panel: WhatIfPanel) -> None:
    spy = QSignalSpy(panel.turned)
    spin = panel.knobs[KnobName.RRF_K].spin
    spin.selectAll()
    type_text(spin, "137")
    assert spy.count() == 0
    press(spin, Qt.Key.Key_Return)
    assert [spy.at(n)[0] for n in range(spy.count())] == [Knobs(rrf_k=137)]


def test_an_own_value_that_no_stop_has_is_not_taken_for_a_change(panel: WhatIfPanel) -> None:
    own = Knobs(rrf_k=4000, supersession_penalty=0.333, fusion_depth=55)
    panel.show_knobs(own, own)
    assert panel.said().startswith("The agent's own numbers")
    assert not panel.reset.isEnabled()
    assert panel.knobs[KnobName.RRF_K].spin.value() == 4000
    spy = QSignalSpy(panel.turned)
    press(panel.knobs[KnobName.LIMIT].slider, Qt.Key.Key_Right)
    assert spy.at(0)[0] == Knobs(4000, 0.333, 0.5, 55, 6), "the others are as they were"


def test_nothing_can_be_reset_copied_or_compared_while_nothing_is_changed(
    panel: WhatIfPanel,
) -> None:
    for button in (panel.reset, panel.copy, panel.compare):
        assert not button.isEnabled()
    panel.show_knobs(Knobs(limit=7), OWN)
    assert panel.reset.isEnabled() and panel.compare.isEnabled()
    assert not panel.copy.isEnabled(), "a limit alone is no setting"
    panel.show_knobs(Knobs(rrf_k=7), OWN)
    panel.copy.click()
    assert QApplication.clipboard().text() == "[retrieval]\nrrf_k = 7\n"
    assert "No settings file was changed" in panel.said()
    QApplication.clipboard().clear()


def test_buttons_that_do_not_fit_on_a_row_stand_on_two(panel: WhatIfPanel, qtbot: QtBot) -> None:
    buttons = (panel.reset, panel.compare, panel.copy)
    panel.resize(700, 400)
    qtbot.waitUntil(lambda: len({b.mapTo(panel, QPoint()).y() for b in buttons}) == 1)
    panel.resize(320, 400)
    qtbot.waitUntil(lambda: len({b.mapTo(panel, QPoint()).y() for b in buttons}) == 2)
    assert all(b.mapTo(panel, b.rect().topRight()).x() <= panel.width() for b in buttons)


def test_copied_lines_say_where_they_belong(panel: WhatIfPanel) -> None:
    panel.show_knobs(Knobs(rrf_k=7), OWN)
    panel.copy.click()
    assert "No settings file was changed." in panel.said()
    assert "[retrieval] section" in panel.said()
    QApplication.clipboard().clear()
