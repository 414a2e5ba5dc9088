"""Run by the frozen program before all else: what it starts sees the person's own libraries.

The loader has read the variable by now; left in place, it would lead a browser or a file manager
that is opened from here to the libraries in this folder.
"""

import os

_VARIABLE = "LD_LIBRARY_PATH"

_before = os.environ.pop(f"{_VARIABLE}_ORIG", None)
if _before is not None:
    os.environ[_VARIABLE] = _before
else:
    os.environ.pop(_VARIABLE, None)

# And a second start of this program is one of its own, not a part of this one.
os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
