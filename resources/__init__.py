"""Files shipped with the program: the embedded model's tokenizer, the demo store, icons, styles."""

from pathlib import Path

RESOURCES = Path(__file__).resolve().parent
