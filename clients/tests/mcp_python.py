"""The official Python client of MCP against a served binary: both versions of the protocol, over HTTP and on stdio."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

URL = os.environ["KEEPSAKE_TEST_URL"]
BINARY = os.environ["KEEPSAKE_BINARY"]
VERSIONS = {"legacy": "2025-11-25", "2026-07-28": "2026-07-28", "auto": "2026-07-28"}
#: What a program on stdio needs to know; the client passes on nothing else.
PASSED = ("KEEPSAKE_DATA_DIR", "KEEPSAKE_EMBEDDER", "KEEPSAKE_LOG")


def http(key: str, **headers: str) -> Any:
    return streamable_http_client(f"{URL}/mcp", http_client=httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"} | headers))


def stdio(*flags: str) -> StdioServerParameters:
    return StdioServerParameters(command=BINARY, args=["mcp", *flags], env={name: os.environ[name] for name in PASSED})


async def remembered(server: Any, mode: str, what: str) -> None:
    async with Client(server, mode=mode, read_timeout_seconds=30) as client:
        assert client.protocol_version == VERSIONS[mode], client.protocol_version
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) >= {"remember", "recall_memory", "forget_memory", "list_global_memories"}, tools
        assert tools["recall_memory"].annotations and tools["recall_memory"].annotations.read_only_hint
        assert tools["forget_memory"].annotations and tools["forget_memory"].annotations.destructive_hint
        # The client checks each answer against the schema of the tool.
        saved = await client.call_tool("remember", {"content": f"User owns a {what}", "kind": "fact"})
        assert not saved.is_error and saved.structured_content["outcome"] in ("inserted", "merged"), saved
        found = await client.call_tool("recall_memory", {"query": f"Who owns a {what}?"})
        assert any(what in item["content"] for item in found.structured_content["personal"]), found
        assert found.content[0].text.startswith("<keepsake_memories>"), found
        listed = await client.call_tool("list_memories", {"limit": 200})
        assert what in listed.content[0].text, listed
        assert not (await client.call_tool("list_global_memories", {"origin": ["agent", "user"]})).is_error
        proposed = await client.call_tool("propose_global_memory", {"content": f"The {what} queue is drained at night."})
        assert proposed.structured_content["outcome"] in ("pending", "merged"), proposed
        wrong = await client.call_tool("remember", {"content": "x", "user_id": "eve"})
        assert wrong.is_error and "fixed by the connection" in wrong.content[0].text, wrong
        gone = await client.call_tool("forget_memory", {"query": f"User owns a {what}"})
        assert gone.structured_content["forgotten"] == 1, gone


async def main() -> None:
    anna, trusted = os.environ["KEEPSAKE_TEST_ANNA"], os.environ["KEEPSAKE_TEST_KEY"]
    # One after the other, because each forgets what it remembered and some share a user.
    await remembered(http(anna), "legacy", "kayak")
    await remembered(http(anna), "2026-07-28", "violin")
    await remembered(http(anna), "auto", "telescope")
    await remembered(http(trusted, **{"X-Keepsake-User": "py-header"}), "auto", "drone")
    await remembered(stdio("--url", URL, "--key", anna), "legacy", "surfboard")
    await remembered(stdio("--url", URL, "--key", anna), "2026-07-28", "typewriter")
    await remembered(stdio("--user", "py-own"), "legacy", "unicycle")
    await remembered(stdio("--user", "py-own"), "auto", "harpsichord")
    async with Client(http(trusted), read_timeout_seconds=30) as client:
        nobody = await client.call_tool("list_memories", {})
        assert nobody.is_error and "(code: no_user)" in nobody.content[0].text, nobody
    try:
        async with Client(http("ks_wrong"), mode="legacy", read_timeout_seconds=30):
            raise AssertionError("a wrong key was let in")
    except Exception as refused:  # Its type is the client's own affair.
        assert not isinstance(refused, AssertionError), refused


asyncio.run(main())
