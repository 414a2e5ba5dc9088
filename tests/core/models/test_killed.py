"""A process killed in the middle of a download leaves nothing that looks like a model (A66)."""

from pathlib import Path

from core.models.hub import Hub
from core.models.library import ModelLibrary
from core.progress import unreported
from core.retrieval.artifacts import StandardModel, cached_artifacts, verify
from tests.support.child import child, run_child
from tests.support.small_model import FILES, small_model
from tests.support.stand_in_hub import StandInHub, stand_in_hub

_STANDARD = StandardModel("quay/small", "Quay/Small-onnx", "model.onnx")
_CHILD = "tests.support.downloading_child"
_HANG_S = 20.0



def _kill_mid_way(hub: StandInHub, folder: Path) -> None:
    with child(_CHILD, hub.url, str(folder)) as process:
        assert hub.holding.wait(_HANG_S)
        process.kill()


def test_a_killed_download_is_no_model_and_the_next_one_is_whole_a66(tmp_path: Path) -> None:
    with stand_in_hub(FILES) as hub:
        hub.held = frozenset({"model.onnx"})
        _kill_mid_way(hub, tmp_path)
        assert list(tmp_path.glob(".part-*")), "it was at work"
        assert not ModelLibrary(tmp_path).place(small_model()).exists()
        assert list(cached_artifacts(_STANDARD, {"HOME": "/nowhere"}, tmp_path)) == []
        hub.release.set()
        assert run_child(_CHILD, hub.url, str(tmp_path)).code == 0
    (found,) = cached_artifacts(_STANDARD, {"HOME": "/nowhere"}, tmp_path)
    assert verify(found) == small_model().files[1].sha256


def test_killed_again_and_again_it_is_whole_in_the_end_a66(tmp_path: Path) -> None:
    with stand_in_hub(FILES) as hub:
        hub.held = frozenset({"model.onnx"})
        for _ in range(3):
            hub.holding.clear()
            _kill_mid_way(hub, tmp_path)
        hub.release.set()
        ModelLibrary(tmp_path).install(small_model(), Hub(hub.url, {}), unreported)
    assert len(list(cached_artifacts(_STANDARD, {"HOME": "/nowhere"}, tmp_path))) == 1
