"""Tests of core/health."""
