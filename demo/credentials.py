"""What the demo's servers accept, read from the environment by servers and sources alike.

These guard nothing but made-up data on loopback; they are here so that the demo's sources carry `auth` as real ones do.
"""

from __future__ import annotations

import hmac
import os

__all__ = ["DEFAULTS", "bearer_is_good", "get", "set_defaults", "token_is_good"]

DEFAULTS = {
    "ASSAY_DEMO_USER": "analyst",
    "ASSAY_DEMO_PASSWORD": "minghe-2024",
    "ASSAY_DEMO_TOKEN": "demo-token-minghe",
}


def set_defaults() -> None:
    """Puts into the environment those that are absent."""
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)


def get(name: str) -> str:
    return os.environ.get(name) or DEFAULTS[name]


def token_is_good(given: str) -> bool:
    return hmac.compare_digest(given.encode(), get("ASSAY_DEMO_TOKEN").encode())


def bearer_is_good(header: str) -> bool:
    """Is an Authorization header of the form `Bearer TOKEN` ours?"""
    scheme, _, given = header.partition(" ")
    return scheme.lower() == "bearer" and token_is_good(given.strip())
