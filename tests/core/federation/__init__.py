"""Tests of searching several stores as one."""
