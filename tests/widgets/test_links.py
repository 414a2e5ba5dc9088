"""Addresses in stored text: inert, but three schemes on request and after a confirmation."""

import pytest

from widgets.links import link_at, shown_target, target_of

_TEXT = (
    "[a](file:///home/u/notes.txt) [b](smb://x/y) [c](javascript:1) [d](https://example.org/x_(y)) "
    "see http://example.net/a?b=1&c=2, or mailto:me@example.org."
)


def link(inside: str) -> str | None:
    return link_at(_TEXT, _TEXT.index(inside) + 2)


def test_a48_only_web_and_mail_addresses_can_be_asked_for() -> None:
    assert link("https://") == "https://example.org/x_(y)"
    assert link("http://example.net") == "http://example.net/a?b=1&c=2"
    assert link("mailto:") == "mailto:me@example.org"
    assert [link(scheme) for scheme in ("file:", "smb:", "javascript:", "see ")] == [None] * 4


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "smb://x/y",
        "javascript:alert(1)",
        "data:text/html,x",
        "//host/share",
        "http:///no-host",
        "https:",
        "mailto:",
        "ftp://x/y",
        "x-apple:y",
        "",
    ],
)
def test_a48_nothing_else_is_ever_openable(address: str) -> None:
    assert target_of(address) is None


def test_the_target_is_shown_in_ascii_so_that_no_look_alike_hides() -> None:
    url = target_of("https://ex\u0430mple.org/\u202egpj.exe")  # a Cyrillic letter, an override
    assert url is not None
    assert shown_target(url) == "https://xn--exmple-4nf.org/%E2%80%AEgpj.exe"


def test_the_user_part_of_an_address_is_not_hidden() -> None:
    url = target_of("https://bank.example@evil.example/")
    assert url is not None
    assert shown_target(url) == "https://bank.example@evil.example/"
    assert url.host() == "evil.example"


def test_an_address_in_megabytes_of_text_is_looked_for_only_nearby() -> None:
    text = "x" * 1_000_000 + " https://example.org " + "y" * 1_000_000
    assert link_at(text, 1_000_005) == "https://example.org"
    assert link_at(text, 5) is None
