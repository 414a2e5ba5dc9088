"""The peer's environment: pinned whole, and honest where it cannot be built."""

import re
from pathlib import Path

import pytest

from tests.peer import environment
from tests.peer.environment import PeerUnavailableError

_LOCKS = ("requirements.txt", "requirements-peer.txt")
_PIN = re.compile(r"^[a-z0-9][a-z0-9-]*==\S+( ; .+)? \\$")


@pytest.mark.parametrize("name", _LOCKS)
def test_every_pin_of_a_lock_carries_a_hash_and_no_index(name: str) -> None:
    text = (Path(environment.__file__).parent / name).read_text("utf-8")
    lines = text.splitlines()
    pins = [number for number, line in enumerate(lines) if line and line[0] not in " #"]
    assert pins
    for number in pins:
        assert _PIN.match(lines[number]), lines[number]
        assert lines[number + 1].startswith("    --hash=sha256:")
    assert "://" not in text


@pytest.mark.slow
def test_without_packages_to_install_the_reason_is_told_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(PeerUnavailableError, match="install failed"):
        environment.prepare(tmp_path)
    assert not environment.is_cached(tmp_path)
    assert list((tmp_path / "build").iterdir()) == []
