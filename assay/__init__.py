"""Assay: multi-hop questions over sources that disagree, answered with a citation for every number.

from assay import Assay
with Assay.load("configs") as assay:
    answer = assay.ask("对比A产品在华东区2024年1月的退货率与…")
    print(answer.text)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.front import Assay
    from reflector.decision import Answer

__all__ = ["Answer", "Assay"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Imports the public names when they are used: `assay --help` must not pay for them (PEP 562)."""
    if name == "Assay":
        from assay.front import Assay

        return Assay
    if name == "Answer":
        from reflector.decision import Answer

        return Answer
    raise AttributeError(f"module 'assay' has no attribute {name!r}")
