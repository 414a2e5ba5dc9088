"""The window is painted before the store is opened and before the model's libraries load."""

from pathlib import Path

import pytest

from tests.bench import as_at_home
from tests.bench.bench_startup import start_once


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """Return the moments of one start of the program on the demo store."""
    return start_once(as_at_home(tmp_path_factory.mktemp("start")))


def test_the_first_paint_comes_before_the_store_and_the_lists(
    moments: dict[str, dict[str, object]],
) -> None:
    order = ["python", "first_paint", "opening", "open", "words", "hybrid", "settled"]
    assert sorted(moments, key=lambda name: float(str(moments[name]["ms"]))) == order


def test_the_first_paint_waits_for_no_model_library(
    moments: dict[str, dict[str, object]],
) -> None:
    loaded = moments["first_paint"]["modules"]
    assert isinstance(loaded, list)
    assert not set(loaded) & {"numpy", "onnxruntime", "fastembed", "huggingface_hub", "sqlite_vec"}


def test_words_come_first_and_the_hybrid_list_follows_by_itself(
    moments: dict[str, dict[str, object]],
) -> None:
    assert (moments["words"]["hits"], moments["hybrid"]["hits"]) == (12, 53)


def test_the_copy_is_made_in_the_data_folder(tmp_path: Path) -> None:
    start_once(as_at_home(tmp_path))
    assert (tmp_path / "data" / "demo" / ".zikaron" / "memory.db").is_file()
