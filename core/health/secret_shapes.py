"""Shapes of secrets: keys and tokens with a mark of their own, passwords that are set. Partial.

A list of our own: the libraries there are bring a network client with them. A password without
a mark is not told from any other word.
"""

import re

from core.health.patterns import Shape, Suspicion

# Only at the beginning of a run of such characters, so that a long run is read once.
_FRESH = r"(?<![\w\-])"
_HAS_DIGIT = r"(?=[^\s\"',;]{0,60}\d)"


def _secret(name: str, parts: str, *expression: str, any_case: bool = False) -> Shape:
    flags = re.IGNORECASE if any_case else 0
    compiled = re.compile("".join(expression), flags)
    return Shape(Suspicion.LIKELY_SECRET, name, tuple(parts.split()), compiled)


SECRETS: tuple[Shape, ...] = (
    _secret("a private key", "-----begin", r"-----(?:\w{1,12} ){1,4}PRIVATE KEY-----"),
    _secret("an AWS access key", "akia asia", _FRESH, r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])"),
    _secret(
        *("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", _FRESH),
        r"(?:gh[pousr]_[A-Za-z0-9]{36,255}+|github_pat_[A-Za-z0-9_]{22,255}+)",
    ),
    _secret("a GitLab token", "glpat-", _FRESH, r"glpat-[\w\-]{20,255}+"),
    _secret("a Slack token", "xox", _FRESH, r"xox[abeoprs]-[A-Za-z0-9\-]{10,255}+"),
    _secret("a Google API key", "aiza", _FRESH, r"AIza[0-9A-Za-z_\-]{35}"),
    _secret("a Stripe key", "k_live_", _FRESH, r"[rs]k_live_[0-9A-Za-z]{16,255}+"),
    _secret("an API key", "sk-", _FRESH, r"sk-(?=[\w\-]{0,60}\d)[\w\-]{20,255}+"),
    _secret(
        *("a package registry token", "npm_ pypi-", _FRESH),
        r"(?:npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])|pypi-[\w\-]{50,255}+)",
    ),
    _secret(
        *("a JSON web token", "eyj", _FRESH),
        r"eyJ[\w\-]{10,4000}+\.eyJ[\w\-]{10,8000}+\.[\w\-]{10,2000}+",
    ),
    _secret(
        *("a bearer token", "bearer", _FRESH, r"bearer\s{1,5}+", _HAS_DIGIT),
        r"[\w.~+/=\-]{20,2000}+",
        any_case=True,
    ),
    _secret(
        *("a password in a header", "authorization", r"authorization[\"']?\s{0,3}+:\s{0,3}+"),
        r"[\"']?basic\s{1,5}+[A-Za-z0-9+/]{12,2000}+={0,2}",
        any_case=True,
    ),
    _secret(
        *("a password in an address", "://"),
        r"://[^\s:/@]{1,64}+:[^\s:/@<>{}$*]{3,128}+@[\w\[]",
    ),
    _secret(
        *("a password or key that is set", "passw secret api_key api-key apikey access token"),
        r"(?:passw(?:or)?d|secret(?:[_\-]?key)?|api[_\-]?key|access[_\-]?key|token)[\"']?",
        *(r"\s{0,3}+[:=]\s{0,3}+[\"']?", _HAS_DIGIT, r"[^\s\"',;<>{}$*]{8,200}+"),
        any_case=True,
    ),
)
