"""The published Python client of Anthropic's Memory Stores API against a served binary: an address, a key of Keepsake, nothing else."""

from __future__ import annotations

import hashlib
import os

import anthropic

URL, KEY = os.environ["KEEPSAKE_TEST_URL"], os.environ["KEEPSAKE_TEST_BUDI"]
#: Bytes that a careless server changes.
ODD = "\ufeffTab\there, CRLF\r\nand no end of line: é"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def refused(kind: type[anthropic.APIStatusError], call: object, **arguments: object) -> dict[str, object]:
    try:
        call(**arguments)  # type: ignore[operator]
    except kind as error:
        body = error.body
        assert isinstance(body, dict) and body["type"] == "error" and body["request_id"], body
        inner = body["error"]
        assert isinstance(inner, dict) and inner["type"] and inner["message"], body
        return inner
    raise AssertionError("it was not refused")


def main() -> None:
    client = anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)
    stores = client.beta.memory_stores
    store = stores.create(name="Tests", description="Of the published client", metadata={"team": "mobile"})
    assert store.type == "memory_store" and store.metadata == {"team": "mobile"} and store.archived_at is None, store
    assert stores.retrieve(store.id).name == "Tests"
    assert stores.update(store.id, name="Tests 2", metadata={"team": None, "lang": "en"}).metadata == {"lang": "en"}
    assert store.id in [one.id for one in stores.list()]

    memories = stores.memories
    first = memories.create(store.id, path="/notes/odd.md", content=ODD)
    assert first.content is None and first.content_sha256 == sha256(ODD) and first.content_size_bytes == len(ODD.encode()), first
    assert memories.retrieve(first.id, memory_store_id=store.id).content == ODD
    taken = refused(anthropic.ConflictError, memories.create, memory_store_id=store.id, path="/notes/odd.md", content="x")
    assert taken["type"] == "memory_path_conflict_error" and taken["conflicting_memory_id"] == first.id, taken

    second = memories.update(first.id, memory_store_id=store.id, content="two", view="full",
                             precondition={"type": "content_sha256", "content_sha256": sha256(ODD)})
    assert second.content == "two" and second.memory_version_id != first.memory_version_id, second
    stale = refused(anthropic.ConflictError, memories.update, memory_id=first.id, memory_store_id=store.id, content="three",
                    precondition={"type": "content_sha256", "content_sha256": sha256(ODD)})
    assert stale["type"] == "memory_precondition_failed_error", stale
    same = memories.update(first.id, memory_store_id=store.id, content="two",
                           precondition={"type": "content_sha256", "content_sha256": sha256(ODD)})
    assert same.memory_version_id == second.memory_version_id, "what it asks for is there"
    moved = memories.update(first.id, memory_store_id=store.id, path="/notes/moved.md")
    assert (moved.path, moved.content_sha256) == ("/notes/moved.md", sha256("two")), moved

    for path in ("../x", "/a/../b", "/caf\u0065\u0301", "relative"):
        assert refused(anthropic.BadRequestError, memories.create, memory_store_id=store.id, path=path, content="x")
    longest = "x" * 102_400
    memories.create(store.id, path="/long", content=longest)
    over = refused(anthropic.BadRequestError, memories.create, memory_store_id=store.id, path="/longer", content=longest + "x")
    assert (over["max"], over["value"]) == (102_400, 102_401), over
    secret = refused(anthropic.BadRequestError, memories.create, memory_store_id=store.id, path="/key",
                     content="one\naws_access_key_id = AKIAIOSFODNN7EXAMPLF")
    assert secret["rules"] == ["secret"] and secret["lines"] == [{"rule": "secret", "line": 2}], secret

    for n in range(45):
        memories.create(store.id, path=f"/many/{n:02}/text.md", content=f"number {n}")
    listed = list(memories.list(store.id, path_prefix="/many/", limit=10))
    assert [one.path for one in listed] == [f"/many/{n:02}/text.md" for n in range(45)], "pages follow each other"
    full = list(memories.list(store.id, path_prefix="/many/", view="full"))
    assert len(full) == 45 and full[7].content == "number 7", "also with texts"
    folders = list(memories.list(store.id, depth=1, limit=2))
    assert [(one.type, one.path) for one in folders] == [("memory", "/long"), ("memory_prefix", "/many/"), ("memory_prefix", "/notes/")]

    versions = stores.memory_versions
    known = list(versions.list(store.id, memory_id=first.id, view="full"))
    assert [one.operation for one in known] == ["modified", "modified", "created"], known
    assert [one.content for one in known] == ["two", "two", ODD] and known[0].created_by is not None
    assert known[0].created_by.type == "api_actor", known[0]
    gone = versions.redact(known[2].id, memory_store_id=store.id)
    assert gone.redacted_at is not None and gone.content is None and gone.path is None and gone.content_sha256 is None, gone
    assert versions.retrieve(known[2].id, memory_store_id=store.id).content is None
    assert refused(anthropic.BadRequestError, versions.redact, memory_version_id=known[0].id, memory_store_id=store.id)
    assert refused(anthropic.NotFoundError, versions.retrieve, memory_version_id="memver_none", memory_store_id=store.id)

    late = refused(anthropic.ConflictError, memories.delete, memory_id=first.id, memory_store_id=store.id,
                   expected_content_sha256=sha256("other"))
    assert late["type"] == "memory_precondition_failed_error", late
    assert memories.delete(first.id, memory_store_id=store.id, expected_content_sha256=sha256("two")).type == "memory_deleted"
    assert refused(anthropic.NotFoundError, memories.retrieve, memory_id=first.id, memory_store_id=store.id)
    assert next(iter(versions.list(store.id, memory_id=first.id))).operation == "deleted"

    other = anthropic.Anthropic(base_url=URL, api_key=os.environ["KEEPSAKE_TEST_ANNA"], max_retries=0)
    assert refused(anthropic.NotFoundError, other.beta.memory_stores.retrieve, memory_store_id=store.id)
    wrong = anthropic.Anthropic(base_url=URL, api_key="ks_wrong", max_retries=0)
    assert refused(anthropic.AuthenticationError, wrong.beta.memory_stores.list)
    named = anthropic.Anthropic(base_url=URL, auth_token=os.environ["KEEPSAKE_TEST_KEY"], max_retries=0,
                                default_headers={"X-Keepsake-User": "stores-header"})
    assert named.beta.memory_stores.create(name="default").id

    assert stores.archive(store.id).archived_at is not None
    assert refused(anthropic.BadRequestError, memories.create, memory_store_id=store.id, path="/late", content="x")
    assert stores.delete(store.id).type == "memory_store_deleted"
    assert refused(anthropic.NotFoundError, stores.retrieve, memory_store_id=store.id)


main()
