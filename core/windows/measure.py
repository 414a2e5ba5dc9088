"""How many bytes of a request, a window's header or a candidate count against the ceilings."""

from dataclasses import asdict
from json.encoder import JSONEncoder, encode_basestring
from math import isfinite
from typing import Protocol

from core.windows.contracts import (
    GlobalBranchCandidate,
    GlobalBranchMergeRequest,
    GlobalBranchWindow,
)
from core.windows.order import parts

# The parts of a reference are measured in one text: what they take adds up, wherever it is cut, and
# the quotes around it are not the candidate's.
_FIXED = len(
    '{"reference":{"collection":"","database_id":"","id":"","partition_key":"","tenant_id":"",'
    '"transaction_domain_id":""},"revision":,"score":}'
) - len('""')
_encode = JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class Measure(Protocol):
    """Tell sizes: the same for the same data, in every run and on every machine."""

    def request(self, request: GlobalBranchMergeRequest) -> int:
        """Return the bytes of a request."""
        ...

    def header(self, window: GlobalBranchWindow) -> int:
        """Return the bytes of a window without its candidates."""
        ...

    def candidate(self, candidate: GlobalBranchCandidate) -> int:
        """Return the bytes of a candidate, which may be one with a NaN."""
        ...


def canonical_bytes(value: object) -> int:
    """Return the UTF-8 length of a value's JSON text: keys sorted, no spaces, nothing escaped
    that need not be.
    """
    return len(_encode(value).encode("utf-8", "surrogatepass"))


class JsonMeasure:
    """The length of canonical JSON, its keys named as in the contracts."""

    def request(self, request: GlobalBranchMergeRequest) -> int:
        """Return the bytes of a request."""
        fields = {
            "allow_incomplete": request.allow_incomplete,
            "branch_name": request.branch_name,
            "expected_window_ids": list(request.expected_window_ids),
            "kind": int(request.kind),
            "limit": request.limit,
            "scope": asdict(request.scope),
        }
        return canonical_bytes(fields)

    def header(self, window: GlobalBranchWindow) -> int:
        """Return the bytes of a window without its candidates."""
        fields = {
            "approximate": window.approximate,
            "branch_name": window.branch_name,
            "complete": window.complete,
            "exhaustive": window.exhaustive,
            "kind": int(window.kind),
            "scope": asdict(window.scope),
            "source_window_id": window.source_window_id,
            "truncated": window.truncated,
        }
        return canonical_bytes(fields)

    def candidate(self, candidate: GlobalBranchCandidate) -> int:
        """Return the bytes of a candidate; its text is not made for it, there are thousands."""
        score = candidate.score
        number = len(repr(score)) if isfinite(score) else canonical_bytes(score)
        quoted = encode_basestring("".join(parts(candidate.reference)))
        texts = len(quoted) if quoted.isascii() else len(quoted.encode("utf-8", "surrogatepass"))
        return _FIXED + texts + len(str(candidate.revision)) + number
