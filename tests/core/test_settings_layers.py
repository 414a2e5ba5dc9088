"""The settings layers: exact types, ranges, provenance; every error names file and key."""

import os
from pathlib import Path

import pytest

from core.errors import ErrorCode, GenizahError
from core.settings import SETTING_TABLE, USED_KEYS, RetrievalSettings, SettingSource, StoreSettings
from core.settings_layers import resolve_settings, user_config_path

# From the contract's table: key, default, the ends of its range, and values just outside.
_INTEGERS = {
    "embedding.embed_dim": (384, 1, None),
    "indexing.chunk_max_tokens": (450, 64, 8192),
    "indexing.gist_max_tokens": (64, 8, 256),
    "indexing.knowledge_max_file_bytes": (1048576, 1, 67108864),
    "indexing.knowledge_embed_batch": (32, 1, 256),
    "retrieval.fusion_depth": (50, 1, 500),
    "retrieval.chunk_overfetch": (8, 1, 64),
    "retrieval.rrf_k": (60, 1, None),
    "retrieval.supersession_max_depth": (32, 1, 1024),
    "retrieval.fts_query_max_terms": (64, 1, 512),
    "retrieval.knowledge_max_chunks_per_file": (2, 1, 20),
    "retrieval.knowledge_snippet_max_chars": (1200, 80, 24000),
    "retrieval.knowledge_reminder_interval": (300, 0, 86400),
    "dedup.dedup_max": (3, 0, 20),
    "consolidation.mutual_k": (5, 2, 50),
    "consolidation.group_max": (12, 2, 64),
    "consolidation.max_group_serves": (3, 1, 16),
    "consolidation.run_lease": (1800, 60, 86400),
    "consolidation.spill_threshold": (27000, 4096, 1048576),
    "service.idle_timeout": (1800, 60, 86400),
    "signals.signal_horizon_days": (30, 1, 3650),
}
_FLOATS = {  # default, lowest, highest, a value below
    "retrieval.supersession_penalty": (0.5, "0.0000001", "1.0", "0.0"),
    "retrieval.retired_penalty": (0.5, "0.0000001", "1.0", "0.0"),
    "dedup.dedup_threshold": (0.80, "0.0", "1.0", "-0.1"),
    "consolidation.orphan_edge_cutoff": (0.65, "0.0", "1.0", "-0.1"),
    "consolidation.anchor_cutoff": (0.65, "0.0", "1.0", "-0.1"),
}
_TEXTS = {
    "embedding.embed_model": "BAAI/bge-small-en-v1.5",
    "embedding.embed_prefix_query": "Represent this sentence for searching relevant passages: ",
}


class Files:
    """The two settings files of a test."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "store.toml"
        self.user = folder / "user.toml"

    def resolve(self) -> StoreSettings:
        """Merge the layers."""
        return resolve_settings(self.store, self.user)

    def refusal(self) -> GenizahError:
        """Merge the layers, which must fail."""
        with pytest.raises(GenizahError) as refusal:
            self.resolve()
        assert refusal.value.code is ErrorCode.BAD_CONFIG
        assert refusal.value.exit_code == 4
        return refusal.value


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Give two settings files that are not there yet."""
    return Files(tmp_path)


def _line(key: str, value: object) -> str:
    section, name = key.split(".")
    return f"[{section}]\n{name} = {value}\n"


def test_without_files_every_key_has_the_contracts_default(files: Files) -> None:
    settings = files.resolve()
    expected: dict[str, object] = dict(_TEXTS)
    expected |= {k: d for k, (d, _, _) in _INTEGERS.items()}
    expected |= {k: d for k, (d, *_) in _FLOATS.items()}
    assert {k: settings[k].value for k in SETTING_TABLE} == expected
    assert {settings[k].source for k in SETTING_TABLE} == {SettingSource.DEFAULT}
    assert settings.retrieval == RetrievalSettings()


def test_the_store_file_wins_key_by_key_and_says_so(files: Files) -> None:
    files.user.write_text("[retrieval]\nrrf_k = 10\nfusion_depth = 20\n")
    files.store.write_text("[retrieval]\nrrf_k = 11\n")
    settings = files.resolve()
    rrf_k, depth = settings["retrieval.rrf_k"], settings["retrieval.fusion_depth"]
    assert (rrf_k.value, rrf_k.source, rrf_k.file) == (
        11,
        SettingSource.STORE_FILE,
        str(files.store),
    )
    assert (depth.value, depth.source, depth.file) == (
        20,
        SettingSource.USER_FILE,
        str(files.user),
    )
    assert settings["retrieval.chunk_overfetch"].source is SettingSource.DEFAULT
    assert [k for k, _ in settings.items()] == list(USED_KEYS)


@pytest.mark.parametrize("key", _INTEGERS)
def test_whole_numbers_keep_their_range_and_exact_type(key: str, files: Files) -> None:
    _, low, high = _INTEGERS[key]
    inside = [low, low + 1] if high is None else [low, high]
    for value in inside:
        files.store.write_text(_line(key, value))
        assert files.resolve()[key].value == value
    outside: list[object] = [low - 1, float(low), "true", f'"{low}"']
    outside += [] if high is None else [high + 1]
    for wrong in outside:
        files.store.write_text(_line(key, wrong))
        refusal = files.refusal()
        assert key in refusal.message, wrong
        assert str(files.store) in refusal.message
        assert (refusal.fields["key"], refusal.fields["source"]) == (key, "store_file")


@pytest.mark.parametrize("key", _FLOATS)
def test_fractions_keep_their_range_and_exact_type(key: str, files: Files) -> None:
    _, low, high, below = _FLOATS[key]
    for value in (low, high):
        files.store.write_text(_line(key, value))
        assert files.resolve()[key].value == float(value)
    for value in (below, "1.0000001", "1", "0", "nan", "inf", "true", '"0.5"'):
        files.store.write_text(_line(key, value))
        assert key in files.refusal().message, value


def test_the_model_may_not_be_empty_and_the_prefix_may(files: Files) -> None:
    files.store.write_text('[embedding]\nembed_prefix_query = ""\n')
    assert files.resolve().text("embedding.embed_prefix_query") == ""
    files.store.write_text('[embedding]\nembed_model = ""\n')
    assert "embedding.embed_model" in files.refusal().message
    files.store.write_text("[embedding]\nembed_model = 3\n")
    assert "embedding.embed_model" in files.refusal().message


def test_a_range_is_checked_on_the_winning_value_only(files: Files) -> None:
    files.user.write_text(_line("retrieval.fusion_depth", 501))
    files.store.write_text(_line("retrieval.fusion_depth", 500))
    assert files.resolve()["retrieval.fusion_depth"].value == 500
    files.store.unlink()
    refusal = files.refusal()
    assert str(files.user) in refusal.message
    assert refusal.fields["source"] == "user_file"


def test_a_wrong_type_is_an_error_even_where_another_file_wins(files: Files) -> None:
    files.user.write_text(_line("retrieval.fusion_depth", '"many"'))
    files.store.write_text(_line("retrieval.fusion_depth", 500))
    assert str(files.user) in files.refusal().message


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"[retrieval\n", "valid TOML"),
        (b"[retrieval]\nrrf_k = \n", "valid TOML"),
        (b"[retrieval]\nrrf_k = " + b"9" * 5000 + b"\n", "valid TOML"),
        (b"[retrieval]\nrrf_k = 0x" + b"f" * 5000 + b"\n", "retrieval.rrf_k"),
        (b"deep = " + b"[" * 100_000, "valid TOML"),
        (b"\xff\xfe = 1", "UTF-8"),
        (b"rrf_k = 60\n", "rrf_k"),
        (b"retrieval = 5\n", "retrieval"),
        (b"[[retrieval]]\nrrf_k = 1\n", "retrieval"),
        (b"[retrieval]\nrrf = 60\n", "retrieval.rrf"),
        (b"[colours]\nred = 1\n", "colours.red"),
        (b"[retrieval.rrf_k]\nvalue = 1\n", "retrieval.rrf_k"),
    ],
    ids=lambda p: str(p)[:30],
)
@pytest.mark.parametrize("layer", ["store", "user"])
def test_what_is_not_as_declared_is_an_error_naming_file_and_key(
    text: bytes, names: str, layer: str, files: Files
) -> None:
    file = files.store if layer == "store" else files.user
    file.write_bytes(text)
    refusal = files.refusal()
    assert names in refusal.message
    assert str(file) in refusal.message
    assert refusal.path == str(file)


def test_an_empty_unknown_table_and_an_empty_file_pass(files: Files) -> None:
    files.store.write_text("[colours]\n")
    files.user.write_text("")
    assert files.resolve().retrieval == RetrievalSettings()


def test_a_folder_in_the_files_place_is_an_error_naming_it(files: Files) -> None:
    files.store.mkdir()
    assert str(files.store) in files.refusal().message


def test_the_users_file_follows_xdg_and_an_empty_one_counts_as_unset() -> None:
    home = {"HOME": "/home/someone"}
    default = Path("/home/someone/.config/zikaron/config.toml")
    assert user_config_path(home) == default
    assert user_config_path({**home, "XDG_CONFIG_HOME": ""}) == default
    given = user_config_path({**home, "XDG_CONFIG_HOME": "/etc/elsewhere"})
    assert given == Path("/etc/elsewhere/zikaron/config.toml")


def test_this_process_asks_for_the_settings_of_its_own_home(private_home: Path) -> None:
    assert user_config_path(os.environ).is_relative_to(private_home)
