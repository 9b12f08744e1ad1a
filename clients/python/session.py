"""What the generated client leaves to its user: lists with commas, retries, idempotency keys and pages."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator
from datetime import datetime
from types import ModuleType
from typing import Any

import httpx

from .client import AuthenticatedClient

__all__ = ["ApiError", "ResultWindowError", "changes", "connect", "each", "unwrap"]


class ApiError(Exception):
    """An answer that says what went wrong. Branch on ``code``."""

    def __init__(self, status: int, code: str, message: str, param: str | None, request_id: str | None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param
        self.request_id = request_id


class ResultWindowError(Exception):
    """More rows exist than the plan lets anyone page through: narrow the filters."""


def connect(
    base_url: str, key: str, *, retries: int = 4, longest_wait: float = 120, timeout: float = 30
) -> AuthenticatedClient:
    """A client for every function of ``property_listings.api``.

    A request that may be repeated is, when the service asks for it or cannot answer: every GET, and every POST, which
    gets an ``Idempotency-Key``. ``longest_wait`` are the seconds that a ``Retry-After`` is waited for at most: a quota
    that is spent asks for days.
    """
    client = AuthenticatedClient(base_url=base_url.rstrip("/"), token=key)
    return client.set_httpx_client(
        _HttpClient(
            base_url=base_url.rstrip("/"),
            headers={"Authorization": f"Bearer {key}"},
            timeout=timeout,
            transport=_Retrying(httpx.HTTPTransport(), retries, longest_wait),
        )
    )


def unwrap(response: Any) -> Any:
    """The data of an answer of ``sync_detailed``. Raises ``ApiError``."""
    status = int(response.status_code)
    if 200 <= status < 300:
        return response.parsed
    error = getattr(response.parsed, "error", None)
    raise ApiError(
        status,
        getattr(error, "code", "unknown"),
        getattr(error, "message", f"The service answered {status}."),
        getattr(error, "param", None),
        response.headers.get("X-Request-Id"),
    )


def each(operation: ModuleType, *path: Any, client: AuthenticatedClient, **parameters: Any) -> Iterator[Any]:
    """Every row of a list, page by page: ``each(search_listings, client=client, city="riyadh", ...)``.

    Raises ``ResultWindowError`` behind the last row that the plan lets anyone page to, when there are more.
    """
    while True:
        page = unwrap(operation.sync_detailed(*path, client=client, **parameters))
        yield from page.data
        if page.pagination.result_window_reached:
            raise ResultWindowError("There are more rows than the plan's paging depth.")
        if not page.pagination.next_cursor:
            return
        parameters["cursor"] = page.pagination.next_cursor


def changes(
    search_listings: ModuleType, since: datetime | None, *, client: AuthenticatedClient, **search: Any
) -> Iterator[tuple[list[Any], datetime]]:
    """Listings modified at or after ``since``, the oldest change first, also beyond the paging depth.

    ``for listings, since in changes(search_listings, None, client=client, city="riyadh", listing_type="rent"): ...``

    Store the listings of a page and its ``since`` together, and pass the last ``since`` to the next call; None is
    everything. Removed listings are not in it.
    """
    cursor: dict[str, Any] = {}
    start = since
    while True:
        after = {} if start is None else {"modified_since": start}
        page = unwrap(
            search_listings.sync_detailed(client=client, sort="modified_asc", **search, **after, **cursor)
        )
        has_more = page.pagination.has_more
        following = page.data[-1].modified_at if has_more else page.pagination.watermark
        yield page.data, following
        if not has_more:
            return
        if page.pagination.next_cursor:
            cursor = {"cursor": page.pagination.next_cursor}
        else:
            # At the paging depth a new search starts from the last row.
            cursor, start = {}, following


class _HttpClient(httpx.Client):
    """Writes several values of one parameter with commas between them."""

    def build_request(self, method: str, url: Any, *, params: Any = None, **rest: Any) -> httpx.Request:
        if isinstance(params, dict):
            params = {
                name: ",".join(str(value) for value in values) if isinstance(values, (list, tuple)) else values
                for name, values in params.items()
            }
        request = super().build_request(method, url, params=params, **rest)
        if request.method == "POST":
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        return request


class _Retrying(httpx.BaseTransport):
    def __init__(self, transport: httpx.BaseTransport, retries: int, longest_wait: float) -> None:
        self._transport = transport
        self._retries = retries
        self._longest_wait = longest_wait

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        for attempt in range(self._retries + 1):
            last = attempt == self._retries
            try:
                response = self._transport.handle_request(request)
            except httpx.TransportError:
                if last:
                    raise
                time.sleep(_backoff(attempt))
                continue
            wait = _wait(response, attempt)
            if last or wait is None or wait > self._longest_wait:
                return response
            response.close()
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        self._transport.close()


def _wait(response: httpx.Response, attempt: int) -> float | None:
    """Seconds until a request is to be sent again; None where sending it again changes nothing."""
    asked = response.headers.get("Retry-After", "")
    status = response.status_code
    if status == 429 or status >= 500 or (status == 409 and asked):
        return float(asked) if asked.isdigit() and int(asked) > 0 else _backoff(attempt)
    return None


def _backoff(attempt: int) -> float:
    """Half a second, one, two, four, each up to a half longer."""
    return 0.5 * 2**attempt * (1 + random.random() / 2)
