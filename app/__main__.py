"""The entry point: quiets the libraries that would phone home, then runs the command line."""

import os
import sys

# Before anything can import onnxruntime or numpy; later is too late.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"


def main() -> int:
    """Run `genizah`; return the exit code."""
    from app.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
