"""Search texts for properties: filters well and badly written, quotes, words, white space."""

from hypothesis import strategies as st

from tests.support.properties import any_texts

_WRITTEN = (
    *("is:live", "-is:retired", "is:live,superseded", "is:head", "is:nothing", "is:"),
    *("tier:journal", "tier:long-term", "-tier:long_term,journal", "tier:", "tier: journal"),
    *("session:a", 'session:"a b"', 'session:""', 'session:"a""b",c', 'session:"a', 'session:a"'),
    *("created:7d", "created:2026-08", "created:..2026-09-01", "created:abc", "created:0d"),
    *("created:2026-02-30", "created:9999-12-31", "edited:3d", "-edited:2026-01-01..2026-02-01"),
    *("tokens:>400", "tokens:<0", "tokens:<=999999999999999", "tokens:5..2", "version:>1,1"),
    *("uuid:ab", "replaces:ab", "replaced-by:ab,cd", "store:notes", "similar:ab", "-similar:ab"),
    *("foo:bar", "http://x", "C:\\", "a::b", "note:", '"', '""', '"is:live"', '"a b"', "word"),
)
_PIECES = st.one_of(st.sampled_from(_WRITTEN), st.text("ab:-,\"' .", max_size=6))

search_texts = st.one_of(
    any_texts,
    st.lists(_PIECES, max_size=8).map(" ".join),
    st.lists(_PIECES, max_size=8).map("".join),
    st.lists(
        st.one_of(_PIECES, st.sampled_from([" ", "\n", "\t", "  ", "\u3000"])), max_size=12
    ).map("".join),
)
