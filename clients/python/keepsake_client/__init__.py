"""Client for Keepsake, long-term memory for assistants. Standard library only.

>>> from keepsake_client import Keepsake
>>> keepsake = Keepsake("http://127.0.0.1:3000", "ks_...")  # doctest: +SKIP
>>> block = keepsake.recall("What does the user work on?", surface="web").prompt  # doctest: +SKIP
"""

from ._client import Keepsake
from ._errors import KeepsakeError, Problem, Unreachable
from ._types import (
    ErasurePreview,
    ErasureTable,
    ExchangeState,
    Fact,
    Forgotten,
    ForgottenItem,
    Memory,
    Page,
    Proposed,
    Recalled,
    RecalledItem,
    Remembered,
)

__all__ = [
    "ErasurePreview",
    "ErasureTable",
    "ExchangeState",
    "Fact",
    "Forgotten",
    "ForgottenItem",
    "Keepsake",
    "KeepsakeError",
    "Memory",
    "Page",
    "Problem",
    "Proposed",
    "Recalled",
    "RecalledItem",
    "Remembered",
    "Unreachable",
]
