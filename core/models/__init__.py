"""Models that do not ship with the program: which are known, how one is fetched and kept."""
