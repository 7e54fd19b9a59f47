"""Client for Keepsake, long-term memory for assistants. Standard library only.

>>> from keepsake_client import Keepsake
>>> keepsake = Keepsake("http://127.0.0.1:3000", "ks_...")  # doctest: +SKIP
>>> block = keepsake.recall("What does the user work on?", surface="web").prompt  # doctest: +SKIP
"""

from ._client import Keepsake
from ._errors import KeepsakeError, Problem, Unreachable
from ._types import (
    All,
    Card,
    CardItem,
    Command,
    Confirm,
    ErasurePreview,
    ErasureTable,
    ExchangeState,
    Fact,
    Forgotten,
    ForgottenItem,
    Kept,
    LeftOut,
    Memory,
    MemoryVersion,
    Note,
    NoteToReview,
    NotesReport,
    Page,
    Preference,
    ProfileField,
    Proposed,
    Recalled,
    RecalledItem,
    Remembered,
    ToConfirm,
    ToolAnswer,
    Turn,
)

__all__ = [
    "All",
    "Card",
    "CardItem",
    "Command",
    "Confirm",
    "ErasurePreview",
    "ErasureTable",
    "ExchangeState",
    "Fact",
    "Forgotten",
    "ForgottenItem",
    "Keepsake",
    "KeepsakeError",
    "Kept",
    "LeftOut",
    "Memory",
    "MemoryVersion",
    "Note",
    "NoteToReview",
    "NotesReport",
    "Page",
    "Preference",
    "Problem",
    "ProfileField",
    "Proposed",
    "Recalled",
    "RecalledItem",
    "Remembered",
    "ToConfirm",
    "ToolAnswer",
    "Turn",
    "Unreachable",
]
