"""How properties are tried: the same examples in every run, no database, no clock; odd texts."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

PROPERTY = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow],
)

_FRAGMENTS = (
    *("don't", "a-b", "-x", "gist:x", "{gist}: x", "foo AND", "OR", "NOT", "NEAR(", "NEAR(a b, 2)"),
    *("GB/s", "20.04", "a/b/c", "pier", "quay 7", "the ferry", "memory_fts", "--"),
    *('"', '""', '"open', "*", "pre*", "^x", "(", ")", "a + b", "C++", "x != y"),
    *("\\", "%", "_", ";", "\x00", "\n", "\t", "\u200b", "\u3000", "\ufeff"),
    *("café", "cafe\u0301", "ÅNGSTRÖM", "ß", "ﬁ", "İ", "Ⅷ", "²", "设备清单", "しりとり", "ข้าว"),
    *("शब्द", "👩‍👩‍👧", "🇺🇸", "\U0001e900", "\U000e0041", "٣٤", "ǅ", "K", "ʼn"),
)

#: Any text with half surrogates left out: what the reference peer can be asked with.
whole_texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(_FRAGMENTS), min_size=1, max_size=8).map(" ".join),
    st.lists(st.sampled_from(_FRAGMENTS), min_size=1, max_size=8).map("".join),
)

#: Any text that Python can hold, half surrogates too.
any_texts = st.one_of(
    whole_texts,
    st.text(st.characters(codec=None, exclude_categories=()), max_size=30),
)
