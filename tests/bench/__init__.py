"""Benchmarks: ratios against the peer in one run. Not tests; `make bench` runs them."""

import os

# As the program's own entry point does, before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
