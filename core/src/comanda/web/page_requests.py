"""Requests for pages: how many fields a form may have, and that those of the dashboard may bring larger files."""

from typing import Any, Final

from quart import Request
from quart.formparser import FormDataParser
from quart.wrappers.request import Body
from werkzeug.datastructures import Headers, MultiDict
from werkzeug.exceptions import RequestEntityTooLarge

from comanda.contracts.requests.routes import FORM
from comanda.contracts.web.dashboard import PREFIX
from comanda.platform.photos.uploads import MAX_BODY_BYTES
from comanda.web.sign_in.sessions import SESSION_COOKIE

UPLOAD_PATHS: Final = f"{PREFIX}/"
# The largest form of ours has a few hundred; a megabyte of short ones would hold the event loop for 50 ms.
MAX_FIELDS: Final = 5_000


class BoundedFormParser(FormDataParser):
    """Counts the fields of a form before it parses them. Forms with files have a limit of Werkzeug's."""

    async def parse(
        self, body: Body, mimetype: str, content_length: int | None, options: dict[str, str] | None = None
    ) -> tuple[MultiDict[str, str], MultiDict[str, Any]]:
        """Return the fields and files of a form. Raises ``RequestEntityTooLarge``."""
        if mimetype != FORM and (await body).count(b"&") >= MAX_FIELDS:
            raise RequestEntityTooLarge
        return await super().parse(body, mimetype, content_length, options)


class PageRequest(Request):
    """A request for a page. A form with files from a browser with a session may be as large as a photo."""

    form_data_parser_class = BoundedFormParser

    def __init__(
        self, method: str, scheme: str, path: str, query_string: bytes, headers: Headers, *rest: Any, **options: Any
    ) -> None:
        if is_upload(method, path, headers):
            options["max_content_length"] = max(options.get("max_content_length") or 0, MAX_BODY_BYTES)
        super().__init__(method, scheme, path, query_string, headers, *rest, **options)


def is_upload(method: str, path: str, headers: Headers) -> bool:
    """Return whether a request sends a form with files to the dashboard, from a browser that has signed in."""
    has_files = headers.get("content-type", "").startswith(FORM)
    has_session = SESSION_COOKIE in headers.get("cookie", "")
    return method == "POST" and path.startswith(UPLOAD_PATHS) and has_files and has_session
