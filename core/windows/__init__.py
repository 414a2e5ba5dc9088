"""The branch window kernel: the windows of several sources become one order, before any rank.

Plain functions over plain data: no store, no search, nothing read or written.
"""
