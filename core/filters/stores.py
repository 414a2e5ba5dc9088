"""Which stores a search is about: what `store:` says of a store's names. Pure."""

from collections.abc import Collection, Iterable

from core.filters.filter import Filter, FilterKey, Word


def is_named(filters: Iterable[Filter], names: Collection[str]) -> bool:
    """Tell whether a store of these names passes every `store:` filter; others are no matter."""
    known = {name.casefold() for name in names}
    return all(
        _is_one_of(filter_, known) is not filter_.negated
        for filter_ in filters
        if filter_.key is FilterKey.STORE
    )


def _is_one_of(filter_: Filter, known: Collection[str]) -> bool:
    return any(isinstance(v, Word) and v.text.casefold() in known for v in filter_.values)
