"""A later start of the program without its window: `later_start DATA_DIR LIMIT_S PATH...`.

Prints whether its wish was taken and whether it became the first.
"""

import os
import sys
from pathlib import Path

from app.single_instance import SingleInstance, Wish


def main() -> None:
    """Claim, hand over, say what came of it, and end."""
    data_dir, limit_s, *paths = sys.argv[1:]
    later = SingleInstance(os.environ, Path(data_dir))
    taken = later.hand_over(Wish(tuple(paths), "tide\n tables", "token-7"), float(limit_s))
    print("taken" if taken else "not taken", "first" if later.is_first else "later")  # noqa: T201
    later.close()


if __name__ == "__main__":
    main()
