"""The client. Each method is one call of the API; `docs/contracts.md` says what each does."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from ._http import Http
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
    T,
    read,
)

#: Every call of the API and the method that makes it; a test compares it with the server's OpenAPI document.
ROUTES: Mapping[str, tuple[str, str]] = {
    "exchange": ("POST", "/v1/exchanges"),
    "exchange_state": ("GET", "/v1/exchanges/{id}"),
    "recall": ("POST", "/v1/recall"),
    "remember": ("POST", "/v1/memories"),
    "memories": ("GET", "/v1/memories"),
    "delete_memory": ("DELETE", "/v1/memories/{id}"),
    "forget": ("POST", "/v1/forget"),
    "propose_fact": ("POST", "/v1/facts"),
    "facts": ("GET", "/v1/facts"),
    "preview_erasure": ("GET", "/v1/users/{id}/erasures/preview"),
    "erase": ("POST", "/v1/users/{id}/erasures"),
    "receipt": ("GET", "/v1/erasures/{id}"),
    "export": ("GET", "/v1/users/{id}/export"),
}


class Keepsake:
    """A server and a key.

    ``user_id`` of a method may be left out if the key was made for one user, or if ``user_id`` is given here.
    ``timeout_s`` is for each try. A call that the server asks to repeat (429, 503) is tried again up to ``retries`` times, after
    the time that it names, if that is not longer than ``patience_s``.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        user_id: str | None = None,
        timeout_s: float = 10.0,
        retries: int = 3,
        patience_s: float = 30.0,
    ) -> None:
        self._http = Http(url, key, timeout_s, retries, patience_s)
        self._user_id = user_id

    def recall(
        self,
        query: str,
        *,
        surface: str,
        user_id: str | None = None,
        k: int | None = None,
        only: Sequence[str] = (),
        exclude: Sequence[str] = (),
    ) -> Recalled:
        """What a prompt gets. ``only`` and ``exclude`` are origins of team facts: ``assistant``, ``agent``, ``user``."""
        origins = _given(only=list(only) or None, exclude=list(exclude) or None) or None
        body = _given(user_id=self._user(user_id), surface=surface, query=query, k=k, origins=origins)
        answer = self._call("recall", body=body)
        personal, team = ([read(RecalledItem, item) for item in answer[name]] for name in ("personal", "global"))
        return read(Recalled, answer, personal=personal, team=team)

    def exchange(
        self,
        user: str,
        assistant: str,
        *,
        surface: str,
        user_id: str | None = None,
        thread: str | None = None,
        at: str | None = None,
        id: str | None = None,
    ) -> str:
        """Sends one message and its reply to be learned from; returns the id under which it is learned in the background.

        With an ``id`` of your own, sending it again changes nothing, even days later.
        """
        body = _given(
            id=id, user_id=self._user(user_id), surface=surface, thread=thread, at=at, user=user, assistant=assistant
        )
        # A try whose answer was lost is recognised by this.
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return str(self._call("exchange", body=body, headers=headers)["id"])

    def exchange_state(self, id: str) -> ExchangeState:
        """Whether an exchange was learned; for a day after it was."""
        return read(ExchangeState, self._call("exchange_state", id))

    def remember(
        self,
        content: str,
        *,
        surface: str,
        user_id: str | None = None,
        kind: str | None = None,
        importance: int | None = None,
        thread: str | None = None,
        at: str | None = None,
    ) -> Remembered:
        """Saves one statement about the user."""
        body = _given(
            user_id=self._user(user_id),
            surface=surface,
            kind=kind,
            content=content,
            importance=importance,
            thread=thread,
            at=at,
        )
        # Sent twice it is merged with itself.
        return read(Remembered, self._call("remember", body=body))

    def memories(self, *, user_id: str | None = None, limit: int | None = None, cursor: str | None = None) -> Page[Memory]:
        """One page of a user's memories, newest first."""
        query = _given(user_id=self._user(user_id), limit=limit, cursor=cursor)
        return _page(Memory, self._call("memories", query=query))

    def all_memories(self, *, user_id: str | None = None) -> Iterator[Memory]:
        """All of a user's memories, newest first."""
        return _all(lambda cursor: self.memories(user_id=user_id, cursor=cursor))

    def delete_memory(self, id: str, *, user_id: str | None = None) -> None:
        """Deletes one memory."""
        self._call("delete_memory", id, query=_given(user_id=self._user(user_id)), safe=False)

    def forget(self, query: str | None = None, *, all: bool = False, user_id: str | None = None) -> Forgotten:
        """Deletes the memory closest to ``query``, or with ``all=True`` everything about the user (scope ``erase``)."""
        body = _given(user_id=self._user(user_id), query=query, all=True if all else None)
        # Sent twice it would delete the next one too.
        answer = self._call("forget", body=body, safe=all)
        items = [read(ForgottenItem, item) for item in answer.get("items") or []]
        return read(Forgotten, answer, items=items)

    def propose_fact(
        self,
        content: str,
        *,
        kind: str = "fact",
        origin: str | None = None,
        user_id: str | None = None,
        importance: int | None = None,
        surface: str | None = None,
    ) -> Proposed:
        """Proposes a fact for the team; it waits until people agree."""
        body = _given(
            content=content,
            kind=kind,
            origin=origin,
            user_id=self._user(user_id),
            importance=importance,
            surface=surface,
        )
        return read(Proposed, self._call("propose_fact", body=body))

    def facts(
        self,
        *,
        origins: Sequence[str] = (),
        kinds: Sequence[str] = (),
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """One page of approved facts, oldest first."""
        query = _given(origin=list(origins), kind=list(kinds), q=q, limit=limit, cursor=cursor)
        return _page(Fact, self._call("facts", query=query))

    def all_facts(self, *, origins: Sequence[str] = (), kinds: Sequence[str] = (), q: str | None = None) -> Iterator[Fact]:
        """All approved facts, oldest first."""
        return _all(lambda cursor: self.facts(origins=origins, kinds=kinds, q=q, cursor=cursor))

    def preview_erasure(self, user_id: str, scope: str = "everything") -> ErasurePreview:
        """What an erasure would do; its ``preview`` orders it. ``scope``: ``everything`` or ``contributions``."""
        answer = self._call("preview_erasure", user_id, query={"scope": scope})
        return read(ErasurePreview, answer, tables=[read(ErasureTable, table) for table in answer["tables"]])

    def erase(self, user_id: str, preview: str, *, reason: str, scope: str = "everything") -> str:
        """Orders exactly the erasure of a preview; returns its id."""
        body = {"scope": scope, "reason": reason, "preview": preview}
        return str(self._call("erase", user_id, body=body, safe=False)["id"])

    def receipt(self, id: str) -> Mapping[str, Any]:
        """The receipt of an erasure, as the server sealed it."""
        return self._call("receipt", id)

    def export(self, user_id: str) -> Mapping[str, Any]:
        """Everything held about a user."""
        return self._call("export", user_id)

    def export_html(self, user_id: str) -> str:
        """The same as a page for people."""
        return self._send("export", user_id, query={"format": "html"}).decode()

    def _user(self, user_id: str | None) -> str | None:
        return self._user_id if user_id is None else user_id

    def _call(self, name: str, id: str | None = None, **how: Any) -> dict[str, Any]:
        answer = self._send(name, id, **how)
        value = json.loads(answer) if answer else {}
        return value if isinstance(value, dict) else {}

    def _send(
        self,
        name: str,
        id: str | None = None,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        safe: bool = True,
    ) -> bytes:
        method, path = ROUTES[name]
        if id is not None:
            path = path.replace("{id}", quote(id, safe=""))
        if query:
            path = f"{path}?{urlencode(query, doseq=True)}"
        return self._http.send(method, path, body, headers, safe)


def _given(**fields: Any) -> dict[str, Any]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def _page(kind: Callable[..., T], answer: Mapping[str, Any]) -> Page[T]:
    return Page([read(kind, item) for item in answer["items"]], answer["next_cursor"])


def _all(page: Callable[[str | None], Page[T]]) -> Iterator[T]:
    cursor: str | None = None
    while True:
        found = page(cursor)
        yield from found.items
        cursor = found.next_cursor
        if cursor is None:
            return
