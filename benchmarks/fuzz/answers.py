"""What an answer must be: documented, no failure of ours, and without anything of another owner."""

import re
from collections.abc import Iterator
from typing import Final

from schemathesis import Response
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from benchmarks.fuzz.cases import Sent

MARKER: Final = "xQ7m{}z"
MARKERS: Final = re.compile(rb"xQ7m\d+z", re.IGNORECASE)
# What a request with another owner's ids, or of a caller of another kind, may be answered with: it is refused for its
# caller, for what it asks for, or for its form.
REFUSALS: Final = frozenset({400, 401, 403, 404, 405, 406, 408, 413, 415, 421, 422, 429})
DOCUMENTED_HEADERS: Final = [status_code_conformance, content_type_conformance]


def find_faults(sent: Sent, response: Response, site: str, kinds: list[str]) -> Iterator[str]:
    """Yield what is wrong with an answer."""
    status = response.status_code
    if status >= 500:
        if status != 503 or "retry-after" not in response.headers:
            yield f"status {status}"
        return
    foreign = {
        found for found in MARKERS.findall(response.content) if found.decode().lower() != (sent.marker or "").lower()
    }
    if foreign:
        yield f"the answer has {foreign.pop().decode()}, which is another owner's"
    # What needs no token is everybody's.
    if sent.is_foreign and kinds and sent.case.path_parameters and status not in REFUSALS:
        yield f"status {status} for what is another owner's"
    # The schema of a stream is that of its whole text, and Schemathesis compares it with each event.
    is_stream = response.headers.get("content-type", [""])[0].startswith("text/event-stream")
    try:
        checks = DOCUMENTED_HEADERS if is_stream else [*DOCUMENTED_HEADERS, response_schema_conformance]
        sent.case.validate_response(response, checks=checks, transport_kwargs={"base_url": site})
    except FailureGroup as group:
        for failure in group.exceptions:
            yield f"{getattr(failure, 'title', '')}: {str(failure)[:300]}"
