"""What the server answers. Fields that this version does not know are ignored."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, Union

T = TypeVar("T")

#: What a field of a profile may say.
ProfileValue = Union[str, int, float, bool, "list[Any]", Mapping[str, Any]]


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
    #: When it was said, RFC 3339; for personal memories, from servers that send it.
    at: str | None = None
    #: For team facts only.
    origin: str | None = None
    #: How sure it is, from 0 to 1; for team facts, from servers that send it.
    confidence: float | None = None
    #: With ``explain``: its place in its store, from 1.
    rank: int | None = None
    #: With ``explain``: what each leg gave, in standard deviations above the mean.
    shares: Mapping[str, float] | None = None


@dataclass(frozen=True)
class LeftOut(RecalledItem):
    #: ``below_rank``, ``relevance``, ``near_duplicate``, ``budget``, ``kind``, ``tags``, ``as_of``, ``greeting``; for team facts also ``origin``, ``confidence``
    reason: str = ""
    #: The item in the answer that says the same.
    same_as: str | None = None


@dataclass(frozen=True)
class Recalled:
    personal: list[RecalledItem]
    #: What is called ``global`` in JSON, a reserved word here: facts of the team.
    team: list[RecalledItem]
    #: The block for the prompt, after the cached prefix; empty if nothing was recalled.
    prompt: str
    #: Constant text for the cached prefix, from servers that send one.
    prefix: str = ""
    #: The estimated number of tokens of ``prompt``.
    prompt_tokens: int = 0
    #: The filter by origin that was applied to team facts: ``only`` or ``exclude``.
    origins: Mapping[str, list[str]] | None = None
    #: With ``explain``: the nearest that is not in the answer.
    left_out: list[LeftOut] | None = None
    #: With ``include``: passages of memory blocks, each with its ``content``, ``line`` and ``parent``.
    blocks: list[Mapping[str, Any]] | None = None


@dataclass(frozen=True)
class Remembered:
    id: str
    #: ``inserted``, ``merged`` or ``replaced``
    outcome: str


@dataclass(frozen=True)
class ToConfirm:
    """What the user asked for, which is done only if the user confirms it."""

    #: ``forget_all`` or ``forget_some``
    action: str
    #: What to show the user.
    phrase: str
    #: The call that does it.
    how: str
    #: With ``forget_some``: how many memories are meant, and which.
    count: int | None = None
    ids: list[str] | None = None


@dataclass(frozen=True)
class ExchangeState:
    id: str
    #: ``queued``, ``learned`` or ``parked``
    status: str
    reason: str | None = None
    confirm: ToConfirm | None = None


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
    tags: list[str] = field(default_factory=list)
    #: ``None``: it has no end.
    expires_at: str | None = None
    #: Rises with every change. Name it to change this memory.
    version: int = 1


@dataclass(frozen=True)
class MemoryVersion:
    kind: str
    content: str
    importance: int
    tags: list[str]
    expires_at: str | None
    at: str
    #: ``created``, ``merged``, ``corrected``, ``edited`` or ``undone``
    how: str


@dataclass(frozen=True)
class Kept:
    id: str
    #: ``saved`` or ``known``
    outcome: str


@dataclass(frozen=True)
class Note:
    id: str
    content: str
    surface: str
    created_at: str
    #: When a prompt last had it, to the day.
    last_used_at: str | None


@dataclass(frozen=True)
class NoteToReview(Note):
    #: Of a stale one: ``never_used`` or ``long_unused``.
    reason: str | None = None
    #: Of a redundant one: the older note that says the same.
    like: str | None = None
    #: Of a suspicious one: the rules that would refuse it today.
    rules: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class NotesReport:
    #: How many notes there are.
    notes: int
    stale: list[NoteToReview]
    redundant: list[NoteToReview]
    suspicious: list[NoteToReview]


@dataclass(frozen=True)
class Preference:
    id: str
    content: str
    #: ``None``: it holds everywhere.
    platform: str | None
    created_at: str


@dataclass(frozen=True)
class ProfileField:
    key: str
    #: A text, a number, true or false, a list, or an object.
    value: ProfileValue
    updated_at: str


@dataclass(frozen=True)
class All(Generic[T]):
    items: list[T]
    #: How many there may be.
    max: int


@dataclass(frozen=True)
class Turn:
    #: ``user``, ``assistant`` or ``tool``
    role: str
    content: str
    at: str


@dataclass(frozen=True)
class ArchivedHistory:
    #: When the conversation was reset.
    archived_at: str
    #: Oldest first.
    turns: list[Turn]


@dataclass(frozen=True)
class CardItem:
    #: ``preference``, ``note`` or ``memory``
    kind: str
    id: str
    content: str
    #: The path to call with DELETE.
    delete: str


@dataclass(frozen=True)
class Card:
    items: list[CardItem]
    #: Memories that are not on the card.
    more: int


@dataclass(frozen=True)
class Confirm:
    #: What the user must send in the same conversation before ``expires_at``.
    phrase: str
    count: int
    expires_at: str


@dataclass(frozen=True)
class Command:
    #: ``False``: the line is no command, and is for the assistant.
    handled: bool
    reply: str | None = None
    card: Card | None = None
    confirm: Confirm | None = None


@dataclass(frozen=True)
class ToolAnswer:
    #: ``saved``, ``known``, ``cap_exceeded``, ``forgotten``, ``not_found``, ``refused`` or ``invalid``
    status: str
    #: For the model.
    message: str
    id: str | None = None


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
    #: The query means everything, and nothing was deleted.
    confirm: ToConfirm | None = None


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
