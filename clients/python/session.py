"""Additions to the generated client: comma-separated lists, retries, idempotency keys and pages."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Iterator
from datetime import datetime
from types import ModuleType
from typing import Any, NamedTuple

import httpx

from .client import AuthenticatedClient

__all__ = ["ApiError", "ResultWindowError", "SyncPage", "changes", "connect", "each", "sync", "unwrap"]


class ApiError(Exception):
    """An error response. Branch on ``code``."""

    def __init__(self, status: int, code: str, message: str, param: str | None, request_id: str | None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param
        self.request_id = request_id


class ResultWindowError(Exception):
    """More rows exist than the plan's paging depth allows. Narrow the filters."""


def connect(
    base_url: str, key: str, *, retries: int = 4, longest_wait: float = 120, timeout: float = 30
) -> AuthenticatedClient:
    """Create a client for every function of ``property_listings.api``.

    Retries requests after 429, 5xx, 409 with ``Retry-After`` and lost connections: every GET, and every POST, which gets
    an ``Idempotency-Key``. ``longest_wait`` is the maximum ``Retry-After`` in seconds that is waited for; an exceeded quota
    can require days. Proxies and certificates of the environment apply: ``HTTPS_PROXY``, ``NO_PROXY``, ``SSL_CERT_FILE``.
    """
    client = AuthenticatedClient(base_url=base_url.rstrip("/"), token=key)
    return client.set_httpx_client(
        _HttpClient(
            base_url=base_url.rstrip("/"),
            headers={"Authorization": f"Bearer {key}"},
            timeout=timeout,
            retries=retries,
            longest_wait=longest_wait,
        )
    )


def unwrap(response: Any) -> Any:
    """Return the data in a ``sync_detailed`` response. Raises ``ApiError``."""
    status = int(response.status_code)
    if 200 <= status < 300:
        return response.parsed
    error = getattr(response.parsed, "error", None)
    raise ApiError(
        status,
        getattr(error, "code", "unknown"),
        getattr(error, "message", f"The service responded with status {status}."),
        getattr(error, "param", None),
        response.headers.get("X-Request-Id"),
    )


def each(operation: ModuleType, *path: Any, client: AuthenticatedClient, **parameters: Any) -> Iterator[Any]:
    """Yield every row of a list, page by page: ``each(search_listings, client=client, city="riyadh", ...)``.

    Raises ``ResultWindowError`` after the last row within the plan's paging depth if more rows exist.
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
    """Yield listings modified at or after ``since``, oldest change first, even beyond the paging depth.

    ``for listings, since in changes(search_listings, None, client=client, city="riyadh", listing_type="rent"): ...``

    Store the listings of a page and its ``since`` together, and pass the last ``since`` to the next call; None
    yields all listings. Removed listings are not included.
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
        if not has_more and not page.pagination.result_window_reached:
            return
        if page.pagination.result_window_reached:
            # At the paging depth, a new search starts from the last row.
            cursor, start = {}, following
        else:
            cursor = {"cursor": page.pagination.next_cursor}


# Seconds after which a copy reads all listings again, and the longest wait, below the default timeout.
_MAX_AGE = 28 * 86_400
_LONGEST_WAIT = 20


class SyncPage(NamedTuple):
    """Changes of a copy as in the response, with the state to store with them.

    If ``is_complete``, the copy equals the search results.
    """

    changes: list[dict[str, Any]]
    state: dict[str, Any]
    is_complete: bool


def sync(
    list_listing_changes: ModuleType,
    state: dict[str, Any] | None,
    *,
    client: AuthenticatedClient,
    follow: bool = False,
    **search: Any,
) -> Iterator[SyncPage]:
    """Yield the changes of a copy of the search results, page by page, removed listings included.

    In one transaction, store each listing with ``state["began"]``, remove listings whose ``listing`` is None, store
    ``state`` as JSON, and if ``is_complete``, remove listings that were stored with an earlier ``began``. Pass the stored
    state to the next call; None begins an empty copy. ``follow`` waits for later changes instead of returning.

    Begins again if the position has expired, and every 28 days, as the data-use terms require. Raises ``ApiError``.
    """
    start = state or _begin()
    wait = 0
    while True:
        if start["began"] < time.time() - _MAX_AGE:
            start = _begin()
        stream = {} if start["stream"] is None else {"stream": start["stream"]}
        try:
            response = list_listing_changes.sync_detailed(
                client=client, after=start["position"], wait_s=wait, **stream, **search
            )
            unwrap(response)
        except ApiError as error:
            if error.code != "position_expired":
                raise
            start = _begin()
            continue
        page = json.loads(response.content)
        pagination, more = page["pagination"], page["pagination"]["has_more"]
        start = {"position": str(pagination["next"]), "stream": pagination["stream"], "began": start["began"]}
        yield SyncPage(page["data"], start, not more)
        if not more and not follow:
            return
        wait = 0 if more else _LONGEST_WAIT


def _begin() -> dict[str, Any]:
    return {"position": "earliest", "stream": None, "began": time.time()}


class _HttpClient(httpx.Client):
    """Joins multiple values of one parameter with commas, and retries. A transport of its own would ignore proxies."""

    def __init__(self, *, retries: int, longest_wait: float, **options: Any) -> None:
        super().__init__(**options)
        self._retries = retries
        self._longest_wait = longest_wait

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

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        for attempt in range(self._retries):
            try:
                response = super().send(request, **options)
            except httpx.TransportError:
                time.sleep(_backoff(attempt))
                continue
            wait = _wait(response, attempt)
            if wait is None or wait > self._longest_wait:
                return response
            response.close()
            time.sleep(wait)
        return super().send(request, **options)


def _wait(response: httpx.Response, attempt: int) -> float | None:
    """Return the seconds until a retry; None if a retry would not help."""
    retry_after = response.headers.get("Retry-After", "")
    status = response.status_code
    if status == 429 or status >= 500 or (status == 409 and retry_after):
        return float(retry_after) if retry_after.isdigit() and int(retry_after) > 0 else _backoff(attempt)
    return None


def _backoff(attempt: int) -> float:
    """0.5, 1, 2, 4 seconds, each with up to 50% jitter."""
    return 0.5 * 2**attempt * (1 + random.random() / 2)
