"""The demo's third server: the credit bureau, in XML, and the refund desk."""

from __future__ import annotations

from starlette.applications import Starlette

from demo.bureau import bureau_route
from demo.faults import Faults
from demo.refunds import Refunds
from demo.serving import health_route, main

__all__ = ["FAULTS", "PORT", "app"]

PORT = 8933
FAULTS = {"500": "the credit bureau and the refund desk answer 500 (`times`: only so many)"}


def app() -> Starlette:
    """A new application: no refund submitted, no fault on."""
    faults = Faults(FAULTS)
    return Starlette(
        routes=[
            bureau_route(faults),
            Refunds(faults).route(),
            health_route("assay-demo-office"),
            faults.route(),
        ]
    )


if __name__ == "__main__":
    main(app, PORT)
