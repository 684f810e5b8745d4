"""Fixtures shared by all folders' tests."""
