"""What the house forbids inside a Python file: pure functions from a parsed file to findings.

Which files a rule holds for is said where it is applied.
"""

import ast
import re
from collections.abc import Iterator

from tests.house.tree import Finding

MAX_FUNCTION_LINES = 40

_TRANSACTION_WORD = re.compile(r"\b(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b")
_TRANSACTION_START = re.compile(r"\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|END)\b", re.I)
# What runs a statement: the driver's methods and our connection's.
_RUNS_SQL = re.compile(r"execute\w*|rows?|value|count")
# executescript() commits whatever is open before it begins.
_ENDS_TRANSACTION = frozenset({"commit", "rollback", "executescript"})

_SQL_WORD = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|PRAGMA)\b")
_SMALL_SQL = re.compile(
    r"\s*(select\b.+\bfrom\b|insert\s+into\b|update\s+\w+\s+set\b|delete\s+from\b|pragma\s+\w)",
    re.S,
)

_KNN = re.compile(r"\bMATCH\s*[?:@${]", re.I)
_VECTOR_TABLE = re.compile(r"\bmemory_vec\b|\bembedding\s+MATCH\b", re.I)
_BOUND_K = re.compile(r"\bk\s*=\s*(\?\d*|[:@$]\w+)")
_LIMIT = re.compile(r"\bLIMIT\b", re.I)

_BROAD = "Exception"


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every string that is no docstring; parts put together are one text.

    What is not known before the program runs stands in the text as `{}`.
    """
    yield from _literals(tree, _docstrings(tree))


def _docstrings(tree: ast.Module) -> set[ast.AST]:
    return {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }


def _literals(node: ast.AST, skip: set[ast.AST]) -> Iterator[tuple[int, str]]:
    if node in skip:
        return
    text = _text(node)
    if text is not None and isinstance(node, ast.expr):
        yield node.lineno, text
    for child in _unread(node) if text is not None else ast.iter_child_nodes(node):
        yield from _literals(child, skip)


def _text(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(value) or "{}" for value in values)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            first, second = _text(left), _text(right)
            if first is not None or second is not None:
                return f"{'{}' if first is None else first}{'{}' if second is None else second}"
    return None


def _unread(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is inside a text and not part of it: the expressions put into it."""
    match node:
        case ast.JoinedStr(values=values):
            yield from (value for value in values if isinstance(value, ast.FormattedValue))
        case ast.BinOp(left=left, right=right):
            for side in (left, right):
                if _text(side) is None:
                    yield side
                else:
                    yield from _unread(side)


def transactions(tree: ast.Module) -> list[Finding]:
    """Find what begins or ends a transaction: in words, by a method, or by running a script."""
    found = [
        Finding(line, f"speaks of a transaction: {text!r}")
        for line, text in literals(tree)
        if _TRANSACTION_WORD.search(text)
    ]
    for call, name in _method_calls(tree):
        if name in _ENDS_TRANSACTION:
            found.append(Finding(call.lineno, f"ends a transaction: .{name}()"))
        elif _RUNS_SQL.fullmatch(name) and call.args:
            text = _text(call.args[0]) or ""
            if _TRANSACTION_START.match(text) and not _TRANSACTION_WORD.search(text):
                found.append(Finding(call.lineno, f"begins or ends a transaction: {text!r}"))
    return found


def _method_calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node, node.func.attr


def sql(tree: ast.Module) -> list[Finding]:
    """Find SQL statements, in capitals anywhere in a text or in small letters from its start."""
    return [
        Finding(line, f"holds SQL: {text!r}")
        for line, text in literals(tree)
        if _SQL_WORD.search(text) or _SMALL_SQL.match(text)
    ]


def vector_searches(tree: ast.Module) -> list[tuple[int, str]]:
    """Return line and text of every nearest-neighbour statement on the vector table."""
    return [
        (line, text)
        for line, text in literals(tree)
        if _KNN.search(text) and _VECTOR_TABLE.search(text)
    ]


def unbounded_vector_searches(tree: ast.Module) -> list[Finding]:
    """Find nearest-neighbour statements without a bound `k = ?`, or with a LIMIT in its place."""
    return [
        Finding(line, f"needs `k = ?` and no LIMIT: {text!r}")
        for line, text in vector_searches(tree)
        if not _BOUND_K.search(text) or _LIMIT.search(text)
    ]


def broad_catches(tree: ast.Module) -> list[Finding]:
    """Find handlers that would swallow any error."""
    found: list[Finding] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            if node.type is None:
                found.append(Finding(node.lineno, "catches everything"))
            elif _BROAD in _names(node.type):
                found.append(Finding(node.lineno, f"catches {_BROAD}"))
        elif isinstance(node, ast.Call) and _dotted(node.func).endswith("suppress"):
            broad = [argument for argument in node.args if _BROAD in _names(argument)]
            found += [Finding(node.lineno, f"suppresses {_BROAD}") for _ in broad]
    return found


def _names(node: ast.expr) -> set[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {_dotted(part).rpartition(".")[2] for part in parts}


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
    return ""


def waits(tree: ast.Module) -> list[Finding]:
    """Find waits that block the event loop or run it inside itself."""
    found: list[Finding] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _dotted(node.func)
            if name in ("time.sleep", "qtbot.wait") or name.endswith("processEvents"):
                found.append(Finding(node.lineno, f"waits with {name}()"))
        elif isinstance(node, ast.ImportFrom) and node.module == "time":
            sleeps = [alias for alias in node.names if alias.name == "sleep"]
            found += [Finding(node.lineno, "imports sleep") for _ in sleeps]
    return found


def long_functions(tree: ast.Module) -> list[Finding]:
    """Find functions of more lines than a reader can hold, not counting the docstring."""
    found: list[Finding] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1 - _docstring_lines(node)
            if lines > MAX_FUNCTION_LINES:
                found.append(Finding(node.lineno, f"{node.name} has {lines} lines"))
    return found


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    if ast.get_docstring(node) is None or first.end_lineno is None:
        return 0
    return first.end_lineno - first.lineno + 1
