"""What the server answers. Fields that this version does not know are ignored."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def read(kind: Callable[..., T], body: Mapping[str, Any], **parsed: Any) -> T:
    """Makes a dataclass of a JSON object; ``parsed`` replaces fields that are objects themselves."""
    known = {known.name for known in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in body.items() if name in known} | parsed)


@dataclass(frozen=True)
class RecalledItem:
    id: str
    kind: str
    content: str
    importance: int
    #: distance − importance − recency + confidence; lower is better.
    score: float
    parts: Mapping[str, float]
    #: The legs that found it: ``vector``, ``words``, ``thread``, ``dates``.
    legs: list[str]
    #: For team facts only.
    origin: str | None = None


@dataclass(frozen=True)
class Recalled:
    personal: list[RecalledItem]
    #: What is called ``global`` in JSON, a reserved word here: facts of the team.
    team: list[RecalledItem]
    #: The block for the prompt, after the cached prefix; empty if nothing was recalled.
    prompt: str
    #: Constant text for the cached prefix, from servers that send one.
    prefix: str = ""


@dataclass(frozen=True)
class Remembered:
    id: str
    #: ``inserted``, ``merged`` or ``replaced``
    outcome: str


@dataclass(frozen=True)
class ExchangeState:
    id: str
    #: ``queued``, ``learned`` or ``parked``
    status: str
    reason: str | None = None


@dataclass(frozen=True)
class Memory:
    id: str
    kind: str
    content: str
    importance: int
    surface: str
    recall_count: int
    last_recalled_at: str | None
    created_at: str
    updated_at: str


@dataclass(frozen=True)
class Fact:
    id: str
    kind: str
    content: str
    importance: int
    origin: str
    confidence: float


@dataclass(frozen=True)
class Page(Generic[T]):
    items: list[T]
    #: ``None`` on the last page.
    next_cursor: str | None


@dataclass(frozen=True)
class ForgottenItem:
    id: str
    content: str


@dataclass(frozen=True)
class Forgotten:
    forgotten: int
    #: Absent if everything was forgotten.
    items: list[ForgottenItem] = field(default_factory=list)


@dataclass(frozen=True)
class Proposed:
    #: ``pending``, ``merged``, ``promoted`` or ``refused``
    outcome: str
    id: str | None = None
    #: The rules by which it was refused.
    rules: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ErasureTable:
    name: str
    rows: int
    result: str


@dataclass(frozen=True)
class ErasurePreview:
    #: The token that orders exactly this erasure.
    preview: str
    tables: list[ErasureTable]
    #: ``deleted`` and ``kept``: team facts without another contributor, and the others.
    facts: Mapping[str, int]
