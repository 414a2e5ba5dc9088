"""Shapes of texts that speak to a model instead of telling a fact. A short list, and partial.

A match is no judgement: an instruction may be what a memory is for. But a memory is put before the
agent unasked, so a person may want to see who speaks in it.
"""

import re

from core.health.patterns import Shape, Suspicion

_GAP = r"\s{1,5}"
_TAG_LETTERS = "[\U000e0020-\U000e007e]"


def _instruction(name: str, parts: tuple[str, ...], *expression: str) -> Shape:
    """Make a shape; a blank in the expression stands for any white space."""
    flags = re.IGNORECASE | re.MULTILINE
    compiled = re.compile("".join(expression).replace(" ", _GAP), flags)
    return Shape(Suspicion.INSTRUCTION, name, parts, compiled)


INSTRUCTIONS: tuple[Shape, ...] = (
    _instruction(
        "setting earlier instructions aside",
        ("ignore", "disregard", "forget", "override"),
        r"\b(?:ignore|disregard|forget|override) (?:(?:all|any|every|of|the|your|my|these) ){0,4}",
        r"(?:previous|prior|above|earlier|preceding|former|system) (?:\w{1,20} ){0,2}",
        r"(?:instruction|prompt|rule|message|direction|guideline)s?\b",
    ),
    _instruction(
        "a new role",
        ("you are", "from now", "pretend", "act as"),
        r"\b(?:you are now|from now on,? you|pretend (?:to be|you are)|you must act as)\b",
    ),
    _instruction(
        "keeping something from the person",
        ("tell", "mention", "reveal", "inform"),
        r"\b(?:do not|don't|never) (?:tell|mention|reveal|inform)\b[^.\n]{0,40}\buser\b",
        r"|\bwithout (?:telling|informing) the user\b",
    ),
    _instruction(
        "a system prompt",
        ("system prompt", "new instructions"),
        r"\b(?:your system prompt|new instructions:)",
    ),
    _instruction(
        "the mark of a role",
        ("system:", "assistant:", "user:", "human:", "developer:"),
        r"^[\t\x20>#*]{0,8}(?:system|assistant|user|human|developer):",
    ),
    _instruction(
        "the mark of a role",
        ("<|", "inst]", "sys>>", "<system", "</system", "<assistant", "<user", "<human"),
        r"<\|[\w\-]{1,40}\|>|\[/?INST\]|<</?SYS>>",
        r"|</?(?:system|assistant|user|human)(?:[_\-]\w{1,20})?>",
    ),
    _instruction(
        "a call of a tool",
        ("tool_call", "function_call", "<invoke", ":invoke", "tool_use", "parameter name="),
        r"</?(?:\w{1,20}:)?(?:function_calls?|tool_calls?|tool_use|invoke|parameter name)\b",
        r"|[\"'](?:tool_calls?|function_call|tool_use)[\"']",
    ),
    _instruction(
        "the heading of an instruction",
        ("##",),
        r"^#{2,4}[\x20]{0,3}(?:system|instruction|response|assistant)s?\b",
    ),
    # Letters that no screen shows and that models read.
    _instruction("letters that cannot be seen", (), _TAG_LETTERS, "{4,2000}+"),
)
