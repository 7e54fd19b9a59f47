"""Errors: what the server says, as RFC 9457 problems, and a server that cannot be reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class KeepsakeError(Exception):
    """Base of all errors of this package."""


class Unreachable(KeepsakeError):
    """The server could not be reached, broke off, or did not answer in time. Nothing is known about whether it acted."""


class Problem(KeepsakeError):
    """The server refused or failed.

    ``code`` is stable and made for programs: ``unauthenticated``, ``scope_missing``, ``invalid``, ``refused`` … ``detail`` is a
    sentence for people. ``body`` is everything that the server sent.
    """

    def __init__(self, status: int, body: Mapping[str, Any], retry_after_s: float | None) -> None:
        self.status = status
        self.body = dict(body)
        self.code = str(body.get("code", "unknown"))
        self.detail = str(body.get("detail", f"The server answered with status {status}."))
        self.retry_after_s = retry_after_s
        super().__init__(f"{self.detail} ({self.code}, {status})")

    @property
    def rules(self) -> list[str]:
        """The rules by which a text was refused (code ``refused``)."""
        return [str(rule) for rule in self.body.get("rules", [])]
