"""Requests for pages: forms of the dashboard may bring files that are larger than other bodies."""

from typing import Any, Final

from quart import Request
from werkzeug.datastructures import Headers

from comanda.contracts.dashboard import PREFIX
from comanda.platform.photos.uploads import FORM_DATA, MAX_BODY_BYTES
from comanda.web.sign_in import SESSION_COOKIE

UPLOAD_PATHS: Final = f"{PREFIX}/"


class PageRequest(Request):
    """A request for a page. A form with files from a browser with a session may be as large as a photo."""

    def __init__(
        self, method: str, scheme: str, path: str, query_string: bytes, headers: Headers, *rest: Any, **options: Any
    ) -> None:
        if is_upload(method, path, headers):
            options["max_content_length"] = max(options.get("max_content_length") or 0, MAX_BODY_BYTES)
        super().__init__(method, scheme, path, query_string, headers, *rest, **options)


def is_upload(method: str, path: str, headers: Headers) -> bool:
    """Return whether a request sends a form with files to the dashboard, from a browser that has signed in."""
    has_files = headers.get("content-type", "").startswith(FORM_DATA)
    has_session = SESSION_COOKIE in headers.get("cookie", "")
    return method == "POST" and path.startswith(UPLOAD_PATHS) and has_files and has_session
