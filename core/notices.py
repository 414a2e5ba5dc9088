"""Notices: facts about a store or a search that a person must see beside the result.

The list of codes is closed and described in docs/notices.md.
"""

from dataclasses import dataclass
from enum import StrEnum


class NoticeCode(StrEnum):
    """Every notice that the window, the command line and the exports can carry."""

    PEER_FAILS_K_LIMIT = "peer_fails_k_limit"
    PEER_FAILS_VECTOR = "peer_fails_vector"
    PEER_FAILS_CYCLE = "peer_fails_cycle"
    PREFIX_OF_OTHER_MODEL = "prefix_of_other_model"
    SETTINGS_DIFFER = "settings_differ"
    SETTINGS_DIFFER_FROM_META = "settings_differ_from_meta"
    NEWER_SCHEMA = "newer_schema"
    STATIC_VIEW = "static_view"
    SYMLINK = "symlink"
    WIDTH_MISMATCH = "width_mismatch"
    NO_ARTIFACT = "no_artifact"
    NO_VECTOR_EXTENSION = "no_vector_extension"
    ENCODER_FAILED = "encoder_failed"
    DENSE_ARM_OFF = "dense_arm_off"
    LEXICAL_ARM_SKIPPED = "lexical_arm_skipped"
    QUERY_TRUNCATED = "query_truncated"
    TERMS_DROPPED = "terms_dropped"
    NOT_FINITE = "not_finite"
    MEANING_SWITCHED_OFF = "meaning_switched_off"
    STORES_FAILED = "stores_failed"
    NOT_REMEMBERED = "not_remembered"
    OWN_FILE_SET_ASIDE = "own_file_set_aside"


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice: its code and a sentence in plain words."""

    code: NoticeCode
    text: str
