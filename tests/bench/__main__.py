"""`make bench`: every benchmark, one after another."""

import asyncio

from tests.bench import bench_retrieve, bench_startup


def main() -> None:
    """Run start-up first, while nothing big is in memory, then retrieval."""
    bench_startup.run()
    asyncio.run(bench_retrieve.run())


if __name__ == "__main__":
    main()
