"""Requests of clients to the token endpoint and its neighbours: their parameters and who they say they are."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, unquote_plus

import orjson

from comanda_oauth.errors import OAuthError
from comanda_oauth.services.tokens.authlib_server import MemoryRequest

FORM: Final = "application/x-www-form-urlencoded"
JSON: Final = "application/json"
MAX_PARAMETERS: Final = 50


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """A client's request. ``client_id`` is the one that it states, in the header or the body."""

    parameters: Mapping[str, Sequence[str]] = field(repr=False)
    authorization: str | None = field(repr=False)
    client_id: str

    def get(self, name: str) -> str | None:
        """Return a parameter, None if it was left out or is empty."""
        return next(iter(self.parameters.get(name, ())), None) or None

    def to_authlib(self) -> MemoryRequest:
        """Return the request for Authlib's grants."""
        return MemoryRequest("POST", self.parameters, self.authorization)


def parse_request(body: bytes, content_type: str, authorization: str | None) -> ClientRequest:
    """Parse a form or a JSON object. Raises ``OAuthError``."""
    parameters = _parse_body(body, content_type.partition(";")[0].strip().lower())
    if repeated := [name for name, values in parameters.items() if len(values) > 1]:
        raise OAuthError("invalid_request", f"The parameter {repeated[0][:50]} is repeated.")
    basic_id = _parse_basic_client_id(authorization)
    stated = next(iter(parameters.get("client_id", ())), "")
    if basic_id is not None and stated and stated != basic_id:
        raise OAuthError("invalid_request", "The header and the body name different clients.")
    if basic_id is not None and any(parameters.get("client_secret", ())):
        raise OAuthError("invalid_request", "The client must authenticate in one way only.")
    return ClientRequest(parameters, authorization if basic_id is not None else None, basic_id or stated)


def _parse_body(body: bytes, kind: str) -> dict[str, list[str]]:
    try:
        if kind == JSON:
            return _parse_json(body)
        if kind in {FORM, ""}:
            return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
    except ValueError as error:
        raise OAuthError("invalid_request", "The body could not be read.") from error
    raise OAuthError("invalid_request", f"The body must be {FORM} or {JSON}.")


def _parse_json(body: bytes) -> dict[str, list[str]]:
    document = orjson.loads(body)
    if not isinstance(document, dict):
        raise ValueError("not an object")
    found: dict[str, list[str]] = {}
    for name, value in document.items():
        if value is True or value is False or isinstance(value, int):
            found[name] = [str(int(value))]
        elif isinstance(value, str):
            found[name] = [value]
        elif value is not None:
            raise ValueError("neither text nor a number")
    return found


def _parse_basic_client_id(authorization: str | None) -> str | None:
    """Return the client of HTTP Basic, or None for another scheme or none. Raises ``OAuthError``."""
    scheme, _, encoded = (authorization or "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, _ = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError) as error:
        raise OAuthError("invalid_client", "The Authorization header could not be read.") from error
    if not colon or not name:
        raise OAuthError("invalid_client", "The Authorization header could not be read.")
    return unquote_plus(name)
