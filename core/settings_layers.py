"""Reading the settings layers: built-in default, the user's file, the store's file; later wins.

An absent file is an empty layer; anything else that is not as declared is an error naming file
and key. Ranges are checked once, on the winning value, naming its file.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from core.errors import ErrorCode, GenizahError, JsonValue
from core.settings import (
    SECTIONS,
    SETTING_TABLE,
    Setting,
    SettingSource,
    SettingSpec,
    SettingValue,
    StoreSettings,
)

# No float holds more, and far more cannot even be written out in decimal.
_MOST_BITS = 1024


def user_config_path(environ: Mapping[str, str]) -> Path:
    """Return the user's settings file; an empty XDG_CONFIG_HOME counts as unset."""
    given = environ.get("XDG_CONFIG_HOME")
    base = Path(given) if given else Path(environ.get("HOME", "~")) / ".config"
    return base.expanduser() / "zikaron" / "config.toml"


def _bad(
    file: Path, source: SettingSource, key: str | None, value: object, expected: str
) -> GenizahError:
    where = f"{file}, key {key}" if key else str(file)
    shown: JsonValue = value if isinstance(value, str | int | float | bool) else str(value)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        shown = f"a number of {value.bit_length()} bits"  # Python refuses to write it out
    return GenizahError(
        ErrorCode.BAD_CONFIG,
        f"The settings in {where} are not usable: expected {expected}, found {shown!r}. "
        "Correct the file and open the store again.",
        path=str(file),
        fields={
            "source": source.value,
            "file": str(file),
            "key": key,
            "value": shown,
            "expected": expected,
        },
    )


def _tables(file: Path, source: SettingSource) -> dict[str, object]:
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _bad(file, source, None, error.strerror or str(error), "a readable file") from error
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _bad(file, source, None, f"bytes at {error.start}", "UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        # Not TOMLDecodeError alone: tomllib lets through what int() says of thousands of digits,
        # and the recursion of deep nesting.
        raise _bad(file, source, None, str(error), "valid TOML") from error


def _exact(spec: SettingSpec, value: object) -> SettingValue | None:
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return None
    if isinstance(value, str | int | float) and spec.accepts_type(value):
        return value
    return None


def read_layer(file: Path, source: SettingSource) -> dict[str, Setting]:
    """Read one settings file into key -> Setting; types are checked, ranges are not.

    Raises GenizahError(BAD_CONFIG) for bad TOML or UTF-8, a top-level value that is no table, an
    undeclared key or a wrong type. An empty unknown table passes.
    """
    found: dict[str, Setting] = {}
    for section, table in _tables(file, source).items():
        if not isinstance(table, dict):
            raise _bad(file, source, section, table, "a table at the top level")
        for name, value in table.items():
            key = f"{section}.{name}"
            spec = SETTING_TABLE.get(key)
            if spec is None:
                known = ", ".join(sorted(SECTIONS)) if section not in SECTIONS else section
                raise _bad(file, source, key, value, f"a declared key of {known}")
            exact = _exact(spec, value)
            if exact is None:
                raise _bad(file, source, key, value, spec.expected)
            found[key] = Setting(exact, source, str(file))
    return found


def resolve_settings(store_config: Path, user_config: Path) -> StoreSettings:
    """Merge the layers of one store; raise GenizahError(BAD_CONFIG) for what is out of range."""
    merged = {k: Setting(s.default, SettingSource.DEFAULT) for k, s in SETTING_TABLE.items()}
    merged |= read_layer(user_config, SettingSource.USER_FILE)
    merged |= read_layer(store_config, SettingSource.STORE_FILE)
    for key, setting in merged.items():
        spec = SETTING_TABLE[key]
        if not spec.in_range(setting.value):
            raise _bad(
                Path(setting.file or ""), setting.source, key, setting.value, spec.expected
            )
    return StoreSettings(merged)
