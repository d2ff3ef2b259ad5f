"""The sample call of an operation, with values for everything that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.basics.json_schema import Schema
from comanda.contracts.requests.callers import CallerKind
from comanda.platform.http.examples import Examples
from comanda.web.api_reference.call_samples import JSON_TYPE, SampleCall, add_query, fill_path

IDEMPOTENCY_KEY: Final = "6f1c1f0e-3d5b-4c39-9d6e-2f4d1c2b7a10"
# Parameters of paths are strings to the description; those that are no ids look like this.
PATH_VALUES: Final[Mapping[str, str]] = {
    "token": "9fQ2mX7cLw4TzR8vKd3N",
    "nonce": "9fQ2mX7cLw4TzR8vKd3N",
    "uuid": "6f1c1f0e-3d5b-4c39-9d6e-2f4d1c2b7a10",
    "platform": "ios",
    "channel": "email",
    "language": "en",
    "event": "order.created",
    "code": "SUMMER10",
    "slug": "trattoria-alba",
    "name": "photo.webp",
    "deviceId": "1",
}


@dataclass(frozen=True, slots=True)
class TokenPlaceholder:
    """What stands for a token in a sample, and the prefixes of the tokens that a reader may put in its place."""

    text: str
    prefixes: tuple[str, ...]


def create_placeholder(operation: Mapping[str, Any], kinds: Mapping[str, CallerKind]) -> TokenPlaceholder | None:
    """Return the placeholder for an operation's token, or None if it takes none."""
    access = operation["access"]
    callers = [kinds[code] for code in (access["callers"] if access else ()) if code in kinds]
    if not callers:
        return None
    # An app calls what its owner could, where the route is open to apps.
    delegates = [kind for kind in kinds.values() if access["is_delegable"] and kind.acts_as in access["callers"]]
    return TokenPlaceholder(
        f"{callers[0].prefix}YOUR_TOKEN", tuple(dict.fromkeys(kind.prefix for kind in [*callers, *delegates]))
    )


def create_call(
    operation: Mapping[str, Any],
    definitions: Mapping[str, Schema],
    kinds: Mapping[str, CallerKind],
    site_url: str,
    values: Mapping[str, str] | None = None,
    token: str | None = None,
) -> SampleCall:
    """Return the sample call of an operation. ``values`` replace those of the path's parameters, by their names."""
    examples = Examples(definitions)
    needed = {
        place: {each["name"]: each for each in operation.get("parameters", ()) if each["in"] == place}
        for place in ("path", "query", "header")
    }
    path_values = {name: PATH_VALUES.get(name, "1") for name in needed["path"]} | dict(values or {})
    query = {name: examples.of(each["schema"], name) for name, each in needed["query"].items() if each.get("required")}
    content = operation.get("requestBody", {}).get("content", {}).get(JSON_TYPE, {})
    body = next((each["value"] for each in content.get("examples", {}).values()), None)
    return SampleCall(
        operation["method"],
        add_query(site_url + fill_path(operation["path"], path_values), query),
        _list_headers(operation, kinds, token),
        body,
        is_json=JSON_TYPE in _list_content_types(operation),
    )


def find_answer(operation: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the status and the content of a successful answer."""
    access = operation["access"]
    status = str(access["status"] if access else 200)
    return status, operation["responses"][status].get("content", {})


def _list_content_types(operation: Mapping[str, Any]) -> list[str]:
    return list(find_answer(operation)[1]) or [JSON_TYPE]


def _list_headers(operation: Mapping[str, Any], kinds: Mapping[str, CallerKind], token: str | None) -> dict[str, str]:
    access = operation["access"] or {"callers": (), "is_delegable": False, "is_replayable": False}
    headers = {}
    placeholder = create_placeholder({"access": access}, kinds)
    if placeholder is not None:
        kind = next(kinds[code] for code in access["callers"] if code in kinds)
        is_bearer = kind.header == "authorization"
        headers["Authorization" if is_bearer else kind.header.title()] = (
            f"{'Bearer ' if is_bearer else ''}{token or placeholder.text}"
        )
    if access["is_replayable"]:
        headers["Idempotency-Key"] = IDEMPOTENCY_KEY
    return headers
