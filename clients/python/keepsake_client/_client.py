"""The client. Each method is one call of the API; `docs/contracts.md` says what each does."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from ._http import Http
from ._types import (
    All,
    ArchivedHistory,
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
    NotesReport,
    NoteToReview,
    Page,
    Preference,
    ProfileField,
    ProfileValue,
    Proposed,
    Recalled,
    RecalledItem,
    Remembered,
    T,
    ToConfirm,
    ToolAnswer,
    Turn,
    read,
)

#: Every call of the API and the method that makes it; a test compares it with the server's OpenAPI document.
ROUTES: Mapping[str, tuple[str, str]] = {
    "exchange": ("POST", "/v1/exchanges"),
    "exchange_state": ("GET", "/v1/exchanges/{id}"),
    "recall": ("POST", "/v1/recall"),
    "remember": ("POST", "/v1/memories"),
    "memories": ("GET", "/v1/memories"),
    "memory": ("GET", "/v1/memories/{id}"),
    "edit_memory": ("PATCH", "/v1/memories/{id}"),
    "memory_history": ("GET", "/v1/memories/{id}/history"),
    "undo_memory": ("POST", "/v1/memories/{id}/undo"),
    "delete_memory": ("DELETE", "/v1/memories/{id}"),
    "forget": ("POST", "/v1/forget"),
    "command": ("POST", "/v1/commands"),
    "add_note": ("POST", "/v1/notes"),
    "notes": ("GET", "/v1/notes"),
    "delete_note": ("DELETE", "/v1/notes/{id}"),
    "notes_report": ("GET", "/v1/notes/report"),
    "prompt_notes": ("GET", "/v1/prompt/notes"),
    "add_preference": ("POST", "/v1/preferences"),
    "preferences": ("GET", "/v1/preferences"),
    "delete_preference": ("DELETE", "/v1/preferences/{id}"),
    "tools": ("GET", "/v1/tools"),
    "call_tool": ("POST", "/v1/tools/{name}"),
    "profile": ("GET", "/v1/profile"),
    "profile_field": ("GET", "/v1/profile/{key}"),
    "set_profile_field": ("PUT", "/v1/profile/{key}"),
    "delete_profile_field": ("DELETE", "/v1/profile/{key}"),
    "append_history": ("POST", "/v1/history"),
    "history": ("GET", "/v1/history"),
    "reset_history": ("POST", "/v1/history/reset"),
    "archived_history": ("GET", "/v1/history/archive"),
    "propose_fact": ("POST", "/v1/facts"),
    "facts": ("GET", "/v1/facts"),
    "preview_erasure": ("GET", "/v1/users/{id}/erasures/preview"),
    "erase": ("POST", "/v1/users/{id}/erasures"),
    "receipt": ("GET", "/v1/erasures/{id}"),
    "export": ("GET", "/v1/users/{id}/export"),
}


class Keepsake:
    """A server and a key.

    ``user_id`` of a method may be left out if the key was made for one user, or if ``user_id`` is given here; ``surface`` if the
    key was made for one surface.
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
        surface: str | None = None,
        user_id: str | None = None,
        k: int | None = None,
        only: Sequence[str] = (),
        exclude: Sequence[str] = (),
        kinds: Sequence[str] = (),
        tags: Mapping[str, Sequence[str]] | None = None,
        budget: int | None = None,
        as_of: str | None = None,
        explain: bool = False,
        include: Sequence[str] = (),
    ) -> Recalled:
        """What a prompt gets. ``only`` and ``exclude`` are origins of team facts: ``assistant``, ``agent``, ``user``.

        ``kinds`` and ``tags`` (``all``, ``any``, ``none``) choose among personal memories. ``budget`` is the most tokens of
        ``prompt``. ``as_of``: what was known at that time. ``explain``: why, and what was left out. ``include``: also
        passages of memory ``blocks``.
        """
        origins = _given(only=list(only) or None, exclude=list(exclude) or None) or None
        body = _given(
            user_id=self._user(user_id),
            surface=surface,
            query=query,
            k=k,
            origins=origins,
            kinds=list(kinds) or None,
            tags=None if tags is None else {name: list(some) for name, some in tags.items()},
            budget=budget,
            as_of=as_of,
            explain=explain or None,
            include=list(include) or None,
        )
        answer = self._call("recall", body=body)
        personal, team = ([read(RecalledItem, item) for item in answer[name]] for name in ("personal", "global"))
        left_out = answer.get("left_out")
        left_out = None if left_out is None else [read(LeftOut, item) for item in left_out]
        return read(Recalled, answer, personal=personal, team=team, left_out=left_out)

    def exchange(
        self,
        user: str,
        assistant: str,
        *,
        surface: str | None = None,
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
        answer = self._call("exchange_state", id)
        return read(ExchangeState, answer, confirm=_to_confirm(answer))

    def remember(
        self,
        content: str,
        *,
        surface: str | None = None,
        user_id: str | None = None,
        kind: str | None = None,
        importance: int | None = None,
        thread: str | None = None,
        at: str | None = None,
        tags: Sequence[str] = (),
        expires_at: str | None = None,
    ) -> Remembered:
        """Saves one statement about the user. From ``expires_at`` on it is in no answer, and is deleted."""
        body = _given(
            user_id=self._user(user_id),
            surface=surface,
            kind=kind,
            content=content,
            importance=importance,
            thread=thread,
            at=at,
            tags=list(tags) or None,
            expires_at=expires_at,
        )
        # Sent twice it is merged with itself.
        return read(Remembered, self._call("remember", body=body))

    def memories(
        self,
        *,
        user_id: str | None = None,
        tags: Sequence[str] = (),
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Memory]:
        """One page of a user's memories, newest first; with ``tags`` those that have all of them."""
        query = _given(user_id=self._user(user_id), tag=list(tags), limit=limit, cursor=cursor)
        return _page(Memory, self._call("memories", query=query))

    def all_memories(self, *, user_id: str | None = None, tags: Sequence[str] = ()) -> Iterator[Memory]:
        """All of a user's memories, newest first."""
        return _all(lambda cursor: self.memories(user_id=user_id, tags=tags, cursor=cursor))

    def memory(self, id: str, *, user_id: str | None = None) -> Memory:
        """One memory."""
        return read(Memory, self._call("memory", id, query=self._of(user_id)))

    def edit_memory(
        self,
        id: str,
        *,
        version: int | None,
        user_id: str | None = None,
        content: str | None = None,
        kind: str | None = None,
        importance: int | None = None,
        tags: Sequence[str] | None = None,
        expires_at: str | None = None,
        no_end: bool = False,
    ) -> Memory:
        """Changes what is given, and returns the memory as it is then.

        ``version`` is that of the memory that you read: if it has another one, the call is refused (``stale``, 412). ``None``:
        whatever its version. ``tags`` are all that it is to have. ``no_end`` takes ``expires_at`` away.
        """
        body = _given(content=content, kind=kind, importance=importance, expires_at=expires_at)
        if tags is not None:
            body["tags"] = list(tags)
        if no_end:
            body["expires_at"] = None
        headers = {"If-Match": "*" if version is None else f'"{version}"'}
        return read(Memory, self._call("edit_memory", id, query=self._of(user_id), body=body, headers=headers, safe=False))

    def memory_history(self, id: str, *, user_id: str | None = None) -> list[MemoryVersion]:
        """What a memory says and said, newest first."""
        answer = self._call("memory_history", id, query=self._of(user_id))
        return [read(MemoryVersion, item) for item in answer["items"]]

    def undo_memory(self, id: str, *, version: int | None = None, user_id: str | None = None) -> Memory:
        """Takes the last change of a memory back: an edit, a merge, or a correction."""
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        # Sent twice it would take another change back.
        return read(Memory, self._call("undo_memory", id, query=self._of(user_id), headers=headers, safe=False))

    def delete_memory(self, id: str, *, user_id: str | None = None) -> None:
        """Deletes one memory."""
        self._call("delete_memory", id, query=_given(user_id=self._user(user_id)), safe=False)

    def forget(
        self,
        query: str | None = None,
        *,
        ids: Sequence[str] | None = None,
        all: bool = False,
        user_id: str | None = None,
    ) -> Forgotten:
        """Deletes the memory closest to ``query``, those in ``ids``, or with ``all=True`` everything about the user (scope ``erase``)."""
        given = None if ids is None else list(ids)
        body = _given(user_id=self._user(user_id), query=query, ids=given, all=True if all else None)
        # A query sent twice would delete the next one too.
        answer = self._call("forget", body=body, safe=query is None)
        items = [read(ForgottenItem, item) for item in answer.get("items") or []]
        return read(Forgotten, answer, items=items, confirm=_to_confirm(answer))

    def command(
        self,
        text: str,
        *,
        surface: str | None = None,
        user_id: str | None = None,
        thread: str | None = None,
        language: str | None = None,
    ) -> Command:
        """Carries out a line of a chat if it is a command, such as ``/remember``."""
        body = _given(user_id=self._user(user_id), surface=surface, thread=thread, text=text, language=language)
        answer = self._call("command", body=body, safe=False)
        card, confirm = answer.get("card"), answer.get("confirm")
        return read(
            Command,
            answer,
            card=None if card is None else read(Card, card, items=[read(CardItem, item) for item in card["items"]]),
            confirm=None if confirm is None else read(Confirm, confirm),
        )

    def add_note(self, content: str, *, surface: str | None = None, user_id: str | None = None) -> Kept:
        """Keeps a note word for word. Of more than 50 the oldest falls out."""
        body = _given(user_id=self._user(user_id), surface=surface, content=content)
        return read(Kept, self._call("add_note", body=body))

    def notes(self, *, user_id: str | None = None) -> All[Note]:
        """A user's notes, oldest first."""
        return _whole(Note, self._call("notes", query=self._of(user_id)))

    def delete_note(self, id: str, *, user_id: str | None = None) -> None:
        """Deletes one note."""
        self._call("delete_note", id, query=self._of(user_id), safe=False)

    def notes_report(self, *, user_id: str | None = None) -> NotesReport:
        """Notes that should be looked at again."""
        answer = self._call("notes_report", query=self._of(user_id))
        lists = {name: [read(NoteToReview, item) for item in answer[name]] for name in ("stale", "redundant", "suspicious")}
        return read(NotesReport, answer, **lists)

    def prompt_notes(
        self, *, surface: str | None = None, user_id: str | None = None, include: Sequence[str] = ()
    ) -> str:
        """The block for a prompt with what the user told; ``include``: ``profile``, ``notes``, ``preferences``,
        ``blocks``, else all."""
        query = _given(user_id=self._user(user_id), surface=surface, include=",".join(include) or None)
        return str(self._call("prompt_notes", query=query)["prompt"])

    def add_preference(self, content: str, *, platform: str | None = None, user_id: str | None = None) -> Kept:
        """Keeps a preference, for one platform or for all. One too many is refused (``cap_exceeded``, 409)."""
        body = _given(user_id=self._user(user_id), content=content, platform=platform)
        return read(Kept, self._call("add_preference", body=body))

    def preferences(self, *, platform: str | None = None, user_id: str | None = None) -> All[Preference]:
        """A user's preferences, oldest first; with ``platform`` those that hold there."""
        query = _given(user_id=self._user(user_id), platform=platform)
        return _whole(Preference, self._call("preferences", query=query))

    def delete_preference(self, id: str, *, user_id: str | None = None) -> None:
        """Deletes one preference."""
        self._call("delete_preference", id, query=self._of(user_id), safe=False)

    def tools(self) -> Mapping[str, list[dict[str, Any]]]:
        """The tools to give to a model, as ``openai`` and ``anthropic`` take them."""
        return self._call("tools")

    def call_tool(
        self, name: str, arguments: Any, *, surface: str | None = None, user_id: str | None = None
    ) -> ToolAnswer:
        """Carries out one call of a model."""
        body = _given(user_id=self._user(user_id), surface=surface) | {"arguments": arguments}
        return read(ToolAnswer, self._call("call_tool", name, body=body, safe=False))

    def profile(self, *, user_id: str | None = None) -> All[ProfileField]:
        """The fields of a user's profile, by name."""
        return _whole(ProfileField, self._call("profile", query=self._of(user_id)))

    def profile_field(self, key: str, *, user_id: str | None = None) -> ProfileField:
        """One field."""
        return read(ProfileField, self._call("profile_field", key, query=self._of(user_id)))

    def set_profile_field(self, key: str, value: ProfileValue, *, user_id: str | None = None) -> ProfileField:
        """Adds a field, or replaces its value."""
        body = _given(user_id=self._user(user_id), value=value)
        return read(ProfileField, self._call("set_profile_field", key, body=body))

    def delete_profile_field(self, key: str, *, user_id: str | None = None) -> None:
        """Deletes one field."""
        self._call("delete_profile_field", key, query=self._of(user_id), safe=False)

    def append_history(
        self,
        turns: Sequence[Mapping[str, str]],
        *,
        surface: str | None = None,
        user_id: str | None = None,
        thread: str | None = None,
    ) -> None:
        """Adds turns, each with ``role``, ``content`` and perhaps ``at``, to a conversation. The last 60 are kept."""
        body = _given(user_id=self._user(user_id), surface=surface, thread=thread, turns=[dict(turn) for turn in turns])
        self._call("append_history", body=body, safe=False)

    def history(
        self,
        *,
        surface: str | None = None,
        user_id: str | None = None,
        thread: str | None = None,
        limit: int | None = None,
    ) -> list[Turn]:
        """The last turns of a conversation, oldest first."""
        query = _given(user_id=self._user(user_id), surface=surface, thread=thread, limit=limit)
        return [read(Turn, turn) for turn in self._call("history", query=query)["turns"]]

    def reset_history(self, *, surface: str | None = None, user_id: str | None = None, thread: str | None = None) -> int:
        """Archives the turns of a conversation, so that it starts from zero; returns how many there were."""
        body = _given(user_id=self._user(user_id), surface=surface, thread=thread)
        return int(self._call("reset_history", body=body, safe=False)["archived"])

    def archived_history(
        self,
        *,
        surface: str | None = None,
        user_id: str | None = None,
        thread: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[ArchivedHistory]:
        """One page of what a conversation was at its last resets, the last one first."""
        query = _given(user_id=self._user(user_id), surface=surface, thread=thread, limit=limit, cursor=cursor)
        answer = self._call("archived_history", query=query)
        items = [read(ArchivedHistory, item, turns=[read(Turn, turn) for turn in item["turns"]]) for item in answer["items"]]
        return Page(items, answer["next_cursor"])

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

    def _of(self, user_id: str | None) -> dict[str, Any]:
        return _given(user_id=self._user(user_id))

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
            path = re.sub(r"\{\w+\}", lambda _: quote(id, safe=""), path)
        if query:
            path = f"{path}?{urlencode(query, doseq=True)}"
        return self._http.send(method, path, body, headers, safe)


def _given(**fields: Any) -> dict[str, Any]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def _page(kind: Callable[..., T], answer: Mapping[str, Any]) -> Page[T]:
    return Page([read(kind, item) for item in answer["items"]], answer["next_cursor"])


def _to_confirm(answer: Mapping[str, Any]) -> ToConfirm | None:
    asked = answer.get("confirm")
    return None if asked is None else read(ToConfirm, asked)


def _whole(kind: Callable[..., T], answer: Mapping[str, Any]) -> All[T]:
    return All([read(kind, item) for item in answer["items"]], answer["max"])


def _all(page: Callable[[str | None], Page[T]]) -> Iterator[T]:
    cursor: str | None = None
    while True:
        found = page(cursor)
        yield from found.items
        cursor = found.next_cursor
        if cursor is None:
            return
