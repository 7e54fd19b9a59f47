"""The client against a served binary, and against a server that fails on purpose."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import keepsake_client
from keepsake_client import Keepsake, Problem, Unreachable
from keepsake_client._client import ROUTES
from keepsake_client.contract import check_prompt_assembly

URL = os.environ["KEEPSAKE_TEST_URL"]
ROOT = Path(__file__).resolve().parents[2]
SURFACE = "web"


def trusted(**how: Any) -> Keepsake:
    return Keepsake(URL, os.environ["KEEPSAKE_TEST_KEY"], **how)


class AgainstTheServer(unittest.TestCase):
    def test_what_is_remembered_is_recalled_listed_and_forgotten(self) -> None:
        keepsake = trusted(user_id="py-memories")
        first = keepsake.remember("User works on the iOS app", surface=SURFACE, kind="fact", importance=4)
        self.assertEqual(first.outcome, "inserted")
        self.assertEqual(keepsake.remember("User works on the iOS app", surface=SURFACE).outcome, "merged")
        for number in range(3):
            keepsake.remember(f"User owns bicycle number {number} since {2000 + number}", surface=SURFACE)
        recalled = keepsake.recall("Who works on the iOS app?", surface=SURFACE, k=2)
        self.assertLessEqual(len(recalled.personal), 2)
        self.assertIn("iOS app", recalled.prompt)
        self.assertEqual({type(item.score) for item in recalled.personal}, {float})
        page = keepsake.memories(limit=1)
        self.assertEqual((len(page.items), page.next_cursor is not None), (1, True))
        listed = list(keepsake.all_memories())
        self.assertEqual(listed, keepsake.memories(limit=200).items)
        self.assertIn(first.id, [memory.id for memory in listed])
        keepsake.delete_memory(first.id)
        self.assertNotIn(first.id, [memory.id for memory in keepsake.all_memories()])
        gone = keepsake.forget("bicycle number 1 since 2001")
        self.assertEqual((gone.forgotten, [item.content for item in gone.items]), (1, ["User owns bicycle number 1 since 2001"]))
        for what in ("is called Marlin", "is in Faro"):
            keepsake.remember(f"User's boat {what}", surface=SURFACE)
        asked = keepsake.forget("everything about the boat").confirm
        assert asked is not None and asked.ids is not None
        self.assertEqual((asked.action, asked.count, len(asked.ids)), ("forget_some", 2, 2))
        self.assertEqual([keepsake.forget(ids=asked.ids).forgotten, keepsake.forget(ids=asked.ids).forgotten], [2, 0])
        self.assertGreater(keepsake.forget(all=True).forgotten, 0)
        self.assertEqual(list(keepsake.all_memories()), [])

    def test_a_memory_is_edited_by_its_version_and_the_change_taken_back(self) -> None:
        keepsake = trusted(user_id="py-edits")
        id = keepsake.remember("User lives in Ghent", surface=SURFACE, tags=["home"], expires_at="2046-01-01T00:00:00Z").id
        read = keepsake.memory(id)
        self.assertEqual((read.tags, read.expires_at, read.version), (["home"], "2046-01-01T00:00:00Z", 1))
        edited = keepsake.edit_memory(id, version=read.version, content="User lives in Bruges", tags=[], no_end=True)
        self.assertEqual((edited.content, edited.tags, edited.expires_at), ("User lives in Bruges", [], None))
        with self.assertRaises(Problem) as caught:
            keepsake.edit_memory(id, version=read.version, importance=5)
        self.assertEqual((caught.exception.code, caught.exception.body["version"]), ("stale", edited.version))
        self.assertEqual(keepsake.edit_memory(id, version=None, importance=5).importance, 5)
        self.assertEqual([version.how for version in keepsake.memory_history(id)], ["edited", "edited", "created"])
        keepsake.undo_memory(id)
        self.assertEqual(keepsake.undo_memory(id, version=keepsake.memory(id).version).content, "User lives in Ghent")
        with self.assertRaises(Problem) as caught:
            keepsake.undo_memory(id)
        self.assertEqual(caught.exception.code, "nothing_to_undo")
        self.assertEqual([memory.id for memory in keepsake.all_memories(tags=["home"])], [id])
        self.assertEqual(list(keepsake.all_memories(tags=["work"])), [])

    def test_a_recall_takes_conditions_and_explains_itself(self) -> None:
        keepsake = trusted(user_id="py-recall")
        tea = keepsake.remember("User drinks green tea", surface=SURFACE, kind="preference", tags=["drinks"]).id
        keepsake.remember("User drinks from a red cup", surface=SURFACE, kind="fact")
        plain = keepsake.recall("drinks", surface=SURFACE)
        self.assertEqual((len(plain.personal), plain.left_out, plain.personal[0].rank), (2, None, None))
        self.assertTrue(plain.prefix and plain.prompt_tokens > 0)
        cases: list[tuple[str, dict[str, Any]]] = [("kind", {"kinds": ["preference"]}), ("tags", {"tags": {"all": ["drinks"]}})]
        for reason, how in cases:
            told = keepsake.recall("drinks", surface=SURFACE, explain=True, **how)
            self.assertEqual([item.id for item in told.personal], [tea])
            self.assertIn(reason, [item.reason for item in told.left_out or []])
            item = told.personal[0]
            self.assertEqual((item.rank, set(item.shares or ())), (1, {"vector", "words", "thread", "dates"}))
        small = keepsake.recall("drinks", surface=SURFACE, budget=0)
        self.assertEqual((small.prompt, small.prompt_tokens), ("", 0))
        self.assertEqual(keepsake.recall("drinks", surface=SURFACE, as_of="2020-01-01T00:00:00Z").personal, [])
        self.assertEqual(keepsake.recall("drinks", surface=SURFACE, only=["agent"]).origins, {"only": ["agent"]})

    def test_what_a_user_tells_in_a_chat_is_kept(self) -> None:
        keepsake = trusted(user_id="py-chat")
        note = keepsake.add_note("The wifi is on the second floor", surface=SURFACE)
        again = keepsake.add_note("The wifi is on the second floor", surface=SURFACE)
        self.assertEqual((note.outcome, again), ("saved", keepsake_client.Kept(note.id, "known")))
        self.assertEqual([(kept.id, kept.surface) for kept in keepsake.notes().items], [(note.id, SURFACE)])
        report = keepsake.notes_report()
        self.assertEqual((report.notes, report.stale, report.redundant, report.suspicious), (1, [], [], []))
        here = keepsake.add_preference("Short answers, please", platform=SURFACE)
        self.assertEqual([own.platform for own in keepsake.preferences().items], [SURFACE])
        self.assertEqual(keepsake.preferences(platform="telegram").items, [])
        self.assertEqual(keepsake.set_profile_field("preferred_language", "en").value, "en")
        self.assertEqual(keepsake.profile_field("preferred_language").key, "preferred_language")
        languages = keepsake.set_profile_field("languages", ["en", "id"])
        self.assertEqual(languages.value, ["en", "id"])
        keepsake.delete_profile_field("languages")
        self.assertEqual(len(keepsake.profile().items), 1)
        block = keepsake.prompt_notes(surface=SURFACE)
        self.assertTrue(all(text in block for text in ("second floor", "Short answers", "preferred_language")))
        self.assertNotIn("second floor", keepsake.prompt_notes(surface=SURFACE, include=["profile", "preferences"]))

        names = [tool["name"] for tool in keepsake.tools()["anthropic"]]
        self.assertEqual(names, ["rememberPreference", "forgetMemory"])
        saved = keepsake.call_tool("rememberPreference", {"content": "No emojis"}, surface=SURFACE)
        self.assertEqual(saved.status, "saved")
        self.assertEqual(keepsake.call_tool("forgetMemory", {"id": saved.id}, surface=SURFACE).status, "forgotten")

        card = keepsake.command("/memories", surface=SURFACE).card
        self.assertEqual([item.kind for item in card.items] if card else None, ["preference", "note"])
        asked = keepsake.command("/forget all", surface=SURFACE, thread="t1", language="en").confirm
        self.assertEqual(asked.count if asked else None, 2)
        self.assertFalse(keepsake.command("What is the time?", surface=SURFACE).handled)

        turns = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!", "at": "2026-01-01T10:00:00Z"}]
        keepsake.append_history(turns, surface=SURFACE, thread="t1")
        self.assertEqual([turn.content for turn in keepsake.history(surface=SURFACE, thread="t1", limit=1)], ["Hello!"])
        self.assertEqual(keepsake.reset_history(surface=SURFACE, thread="t1"), 2)
        archived = keepsake.archived_history(surface=SURFACE, thread="t1")
        self.assertEqual([len(reset.turns) for reset in archived.items], [2])
        self.assertIsNone(archived.next_cursor)
        self.assertEqual(keepsake.history(surface=SURFACE, thread="t1"), [])
        keepsake.delete_preference(here.id)
        keepsake.delete_note(note.id)
        keepsake.delete_profile_field("preferred_language")
        self.assertEqual(keepsake.prompt_notes(surface=SURFACE), "")

    def test_an_exchange_is_learned_once(self) -> None:
        keepsake = trusted(user_id="py-exchange")
        said = ("Remember that I prefer answers in Indonesian.", "Noted.")
        id = keepsake.exchange(*said, surface=SURFACE, thread="t1", at="2026-11-20T10:00:00Z", id="py-1")
        deadline = time.monotonic() + 30
        while keepsake.exchange_state(id).status == "queued":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual(keepsake.exchange_state(id).status, "learned")
        keepsake.exchange(*said, surface=SURFACE, thread="t1", at="2026-11-20T10:00:00Z", id="py-1")
        self.assertEqual(len(list(keepsake.all_memories())), 1)

    def test_a_fact_waits_for_people(self) -> None:
        keepsake = trusted()
        proposed = keepsake.propose_fact("Nightly exports are written as Parquet.", kind="howto", user_id="py-facts")
        self.assertIn(proposed.outcome, ("pending", "merged"))
        refused = keepsake.propose_fact("Ask dana@example.org about the deploy.")
        self.assertEqual((refused.outcome, refused.id, bool(refused.rules)), ("refused", None, True))
        self.assertEqual([fact for fact in keepsake.all_facts(origins=["user", "agent"], kinds=["glossary"], q="zzz")], [])

    def test_an_erasure_is_previewed_ordered_and_proved(self) -> None:
        keepsake = trusted()
        keepsake.remember("User likes tea", surface=SURFACE, user_id="py/erased?")
        self.assertIn("held", keepsake.export("py/erased?"))
        self.assertIn("<html", keepsake.export_html("py/erased?"))
        preview = keepsake.preview_erasure("py/erased?")
        self.assertEqual(next(table.rows for table in preview.tables if table.name == "memories"), 1)
        id = keepsake.erase("py/erased?", preview.preview, reason="their own wish")
        deadline = time.monotonic() + 30
        while keepsake.receipt(id)["status"] not in ("verified", "partial"):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual(list(keepsake.all_memories(user_id="py/erased?")), [])

    def test_a_refusal_has_its_code(self) -> None:
        with self.assertRaises(Problem) as caught:
            Keepsake(URL, "ks_wrong").recall("x", surface=SURFACE)
        self.assertEqual((caught.exception.code, caught.exception.status), ("unauthenticated", 401))
        with self.assertRaises(Problem) as caught:
            trusted(user_id="py-refused").remember("My key is AKIAIOSFODNN7EXAMPLE", surface=SURFACE)
        self.assertEqual((caught.exception.code, bool(caught.exception.rules)), ("refused", True))
        with self.assertRaises(Problem) as caught:
            trusted().memories()
        self.assertEqual((caught.exception.status, caught.exception.body["field"]), (422, "user_id"))
        with self.assertRaises(Problem) as caught:
            trusted().recall("x", surface=SURFACE, only=["user"], exclude=["agent"])
        self.assertEqual(caught.exception.code, "invalid")

    def test_the_example_talks_and_passes_the_contract_kit(self) -> None:
        sys.path.insert(0, str(ROOT / "python/examples"))
        import chat

        keepsake, history, asked = trusted(user_id="py-example"), [], []
        keepsake.remember("User works on the iOS app", surface=SURFACE)

        def model(messages: Any) -> str:
            asked.append(messages)
            return "You work on the iOS app."

        self.assertEqual(chat.turn(keepsake, model, history, "Which iOS app do I work on?"), "You work on the iOS app.")
        self.assertIn("User works on the iOS app", asked[0][-1]["content"])
        self.assertEqual([message["role"] for message in history], ["user", "assistant"])
        block = keepsake.recall("iOS app", surface=SURFACE).prompt

        class Recalling:
            def __init__(self, block: str) -> None:
                self.block = block

            def recall(self, *_: Any, **__: Any) -> Any:
                return keepsake_client.Recalled([], [], self.block)

            def exchange(self, *_: Any, **__: Any) -> None:
                pass

        def assemble(block: str, message: str, _: str) -> tuple[str, str]:
            chat.turn(Recalling(block), model, [], message)
            return asked[-1][0]["content"], asked[-1][-1]["content"]

        check_prompt_assembly(assemble, blocks=[block])

    def test_the_example_runs_as_written(self) -> None:
        env = os.environ | {"KEEPSAKE_URL": URL, "KEEPSAKE_KEY": os.environ["KEEPSAKE_TEST_ANNA"]}
        done = subprocess.run(
            [sys.executable, ROOT / "python/examples/chat.py"], env=env, input="Hello there\n\n", capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Hello there", done.stdout)

    def test_every_call_of_the_api_is_there(self) -> None:
        printed = subprocess.run([os.environ["KEEPSAKE_BINARY"], "openapi"], capture_output=True, check=True).stdout
        document = json.loads(printed)
        api = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
        lines = (ROOT / "left-out.txt").read_text().splitlines()
        left_out = {tuple(line.split(" ", 2)[:2]) for line in lines if line and not line.startswith("#")}
        called = set(ROUTES.values())
        self.assertEqual(api - called, left_out, "call it in both clients, or list it with the reason in clients/left-out.txt")
        self.assertLessEqual(called, api, "the server has no such call")
        self.assertTrue(all(callable(getattr(Keepsake, name)) for name in ROUTES))
        self.fields_are_those_of(document["components"]["schemas"])

    def fields_are_those_of(self, schemas: dict[str, Any]) -> None:
        """Each field that a type needs is in the document, and the document's are known."""
        pairs = {
            "Recalled": "RecallAnswer",
            "RecalledItem": "RecallItem",
            "Remembered": "Remembered",
            "ExchangeState": "ExchangeState",
            "ToConfirm": "Confirm",
            "Memory": "MemoryItem",
            "Fact": "FactItem",
            "Forgotten": "ForgetAnswer",
            "ForgottenItem": "ForgottenItem",
            "Proposed": "ProposeAnswer",
            "ErasurePreview": "ErasurePreview",
            "ErasureTable": "ErasureTable",
            "LeftOut": "LeftOutItem",
            "MemoryVersion": "MemoryVersion",
            "Kept": "KeptAnswer",
            "Note": "NoteItem",
            "NotesReport": "NotesReportAnswer",
            "Preference": "PreferenceItem",
            "ProfileField": "ProfileItem",
            "Turn": "TurnItem",
            "Command": "CommandAnswer",
            "Card": "CommandCard",
            "CardItem": "CommandCardItem",
            "Confirm": "CommandConfirm",
            "ToolAnswer": "ToolAnswer",
        }
        fields_of_shapes = {"NoteToReview": ("StaleNote", "RedundantNote", "SuspiciousNote"), "All": ("All_NoteItem",)}
        for ours, several in fields_of_shapes.items():
            sent = set().union(*(properties(schemas, schemas[theirs]) for theirs in several))
            self.assertEqual(sent, {field.name for field in dataclasses.fields(getattr(keepsake_client, ours))}, ours)
        for ours, theirs in pairs.items():
            fields = {field.name: field for field in dataclasses.fields(getattr(keepsake_client, ours))}
            if ours == "Recalled":
                fields["global"] = fields.pop("team")
            sent = properties(schemas, schemas[theirs])
            missing = (dataclasses.MISSING, dataclasses.MISSING)
            needed = {name for name, field in fields.items() if (field.default, field.default_factory) == missing}
            self.assertLessEqual(needed, sent, ours)
            self.assertLessEqual(sent, set(fields), f"{ours} does not know a field of {theirs}; add it with a default")


def properties(schemas: dict[str, Any], shape: dict[str, Any]) -> set[str]:
    """The fields of a shape, and of those that it is made of."""
    parts = [schemas[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part for part in shape.get("allOf", [])]
    return set(shape.get("properties", {})).union(*(properties(schemas, part) for part in parts))


class Failing(BaseHTTPRequestHandler):
    """Answers what the test wrote down, one after the other."""

    answers: list[tuple[int, dict[str, str], bytes]] = []
    asked: list[tuple[str, dict[str, str]]] = []

    def do_POST(self) -> None:  # noqa: N802
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.asked.append((self.path, dict(self.headers)))
        status, headers, body = self.answers.pop(0)
        if status == 0:
            self.connection.close()
            return
        if status == 1:
            time.sleep(2)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


class AgainstAFailingServer(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Failing)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        Failing.asked.clear()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def client(self, *answers: tuple[int, dict[str, str], bytes], **how: Any) -> Keepsake:
        Failing.answers[:] = answers
        return Keepsake(f"http://127.0.0.1:{self.server.server_port}/base/", "ks_x", **how)

    def test_it_waits_as_long_as_the_server_says(self) -> None:
        busy = (503, {"Retry-After": "1"}, b'{"code":"busy"}')
        done = (202, {}, b'{"id":"ex_1"}')
        keepsake = self.client((429, {"Retry-After": "0"}, b"{}"), busy, done)
        started = time.monotonic()
        self.assertEqual(keepsake.exchange("a", "b", surface=SURFACE), "ex_1")
        self.assertGreaterEqual(time.monotonic() - started, 1.0)
        self.assertEqual([path for path, _ in Failing.asked], ["/base/v1/exchanges"] * 3)
        self.assertEqual(len({headers["Idempotency-Key"] for _, headers in Failing.asked}), 1, "it is the same exchange")

    def test_it_gives_up_when_the_wait_is_too_long_or_too_often(self) -> None:
        day = (429, {"Retry-After": "86400"}, b'{"code":"rate_limited","detail":"Too many."}')
        with self.assertRaises(Problem) as caught:
            self.client(day).propose_fact("x")
        self.assertEqual((caught.exception.retry_after_s, caught.exception.code, len(Failing.asked)), (86400.0, "rate_limited", 1))
        Failing.asked.clear()
        with self.assertRaises(Problem):
            self.client(*[(503, {"Retry-After": "0"}, b"{}")] * 3, retries=2).recall("x", surface=SURFACE)
        self.assertEqual(len(Failing.asked), 3)

    def test_a_broken_connection_is_tried_again_only_if_that_does_no_harm(self) -> None:
        broken = (0, {}, b"")
        answer = (200, {}, b'{"personal":[],"global":[],"prompt":""}')
        self.assertEqual(self.client(broken, answer).recall("x", surface=SURFACE).prompt, "")
        Failing.asked.clear()
        with self.assertRaises(Unreachable):
            self.client(broken, (200, {}, b'{"forgotten":1}')).forget("tea")
        self.assertEqual(len(Failing.asked), 1, "the next closest memory would have been lost")

    def test_a_slow_server_and_an_odd_answer_are_errors_of_this_package(self) -> None:
        with self.assertRaises(Unreachable):
            self.client((1, {}, b""), timeout_s=0.2, retries=0).recall("x", surface=SURFACE)
        with self.assertRaises(Problem) as caught:
            self.client((502, {}, b"<html>")).recall("x", surface=SURFACE)
        self.assertEqual((caught.exception.status, caught.exception.code), (502, "unknown"))
        with self.assertRaises(Problem) as caught:
            self.client((302, {"Location": "http://elsewhere.example"}, b"")).recall("x", surface=SURFACE)
        self.assertEqual((caught.exception.status, len(Failing.asked)), (302, 3), "no redirect is followed")
        with self.assertRaises(ValueError):
            Keepsake("localhost:3000", "ks_x")


if __name__ == "__main__":
    unittest.main()
