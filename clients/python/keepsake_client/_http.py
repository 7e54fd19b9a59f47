"""One request: timeout, retries, errors. Only ``http.client``; one connection for each request, so threads may share a client."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ._errors import Problem, Unreachable

#: Statuses after which the server asks to try again.
RETRIED = (429, 503)
#: Pauses between tries without ``Retry-After``: 0.25 s, 0.5 s, 1 s … each a little longer or shorter.
FIRST_PAUSE_S = 0.25


class Http:
    def __init__(self, url: str, key: str, timeout_s: float, retries: int, patience_s: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"the URL must look like https://keepsake.example, not {url!r}")
        self._parts = parts
        self._path = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        self._timeout_s = timeout_s
        self._retries = retries
        self._patience_s = patience_s

    def send(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None, safe: bool = True) -> bytes:
        """Sends a request and returns the body of the answer. ``safe``: it may be sent again after the connection broke."""
        data = None if body is None else json.dumps(body).encode()
        last = self._retries
        for tried in range(last + 1):
            pause = FIRST_PAUSE_S * 2**tried * random.uniform(0.75, 1.25)
            try:
                status, answer, retry_after_s = self._once(method, path, data, headers or {})
            except (OSError, http.client.HTTPException) as error:
                if not safe or tried == last:
                    raise Unreachable(f"{method} {self._parts.hostname}: {error or type(error).__name__}") from error
            else:
                if status < 300:
                    return answer
                problem = Problem(status, _object(answer), retry_after_s)
                pause = pause if retry_after_s is None else retry_after_s
                if status not in RETRIED or tried == last or pause > self._patience_s:
                    raise problem
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _once(self, method: str, path: str, data: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes, float | None]:
        host, port = self._parts.hostname or "", self._parts.port
        connection: http.client.HTTPConnection
        if self._parts.scheme == "https":
            connection = http.client.HTTPSConnection(host, port, timeout=self._timeout_s, context=ssl.create_default_context())
        else:
            connection = http.client.HTTPConnection(host, port, timeout=self._timeout_s)
        sent = self._headers | dict(headers) | ({} if data is None else {"Content-Type": "application/json"})
        try:
            connection.request(method, self._path + path, data, sent)
            response = connection.getresponse()
            return response.status, response.read(), _seconds(response.getheader("Retry-After"))
        finally:
            connection.close()


def _seconds(header: str | None) -> float | None:
    try:
        return None if header is None else max(0.0, float(header))
    except ValueError:
        return None


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
