"""Requests of the commands to the Comanda installation that an author of themes works with."""

from collections.abc import Mapping
from http.client import HTTPResponse
from urllib.request import Request, urlopen


def send_request(
    url: str, headers: Mapping[str, str], *, timeout_seconds: float, method: str = "GET", body: bytes | None = None
) -> HTTPResponse:
    """Send a request and return its answer, to be closed. Raises ``URLError``, and ``ValueError`` for other schemes."""
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"{url} is not an http:// or https:// URL.")
    request = Request(url, data=body, method=method, headers=dict(headers))  # noqa: S310 - checked above
    answer: HTTPResponse = urlopen(request, timeout=timeout_seconds)  # noqa: S310 - checked above
    return answer
