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
    answer: HTTPResponse = urlopen(Request(url, body, dict(headers), method=method), timeout=timeout_seconds)  # noqa: S310 - checked above
    return answer
