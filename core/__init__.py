"""The library: stores, retrieval, explanation. No Qt, no words of the window."""
