"""Metadata of clients that describe themselves (RFC 7591, section 2)."""

from collections.abc import Mapping

from comanda.basics import ValidationFailed

from comanda_oauth import scopes
from comanda_oauth.models import ClientKind
from comanda_oauth.records import NewClient

DEFAULT_NAME = "Unnamed app"


def parse_metadata(document: Mapping[str, object]) -> NewClient:
    """Return the client that metadata describes: always public, because nobody has seen who it is.

    Scopes that apps cannot have are left out, as the standard permits. Raises ``ValidationFailed`` by field.
    """
    grant_types = _parse_texts(document, "grant_types", ("authorization_code",))
    if "authorization_code" not in grant_types:
        raise ValidationFailed(grant_types=["Must contain authorization_code."])
    if "code" not in _parse_texts(document, "response_types", ("code",)):
        raise ValidationFailed(response_types=["Must contain code."])
    method = document.get("token_endpoint_auth_method", "none")
    if method != "none":
        raise ValidationFailed(token_endpoint_auth_method=["Must be none: use PKCE."])
    name, logo = document.get("client_name"), document.get("logo_uri")
    return NewClient(
        name=name if isinstance(name, str) and name.strip() else DEFAULT_NAME,
        redirect_uris=_parse_texts(document, "redirect_uris", ()),
        scopes=_parse_scopes(document.get("scope")),
        kind=ClientKind.PUBLIC,
        logo_url=logo if isinstance(logo, str) and logo.startswith("https://") else None,
    )


def _parse_scopes(given: object) -> tuple[str, ...]:
    if not isinstance(given, str) or not given.strip():
        return scopes.NAMES
    return tuple(scope for scope in scopes.parse(given) if scope in scopes.NAMES) or scopes.NAMES


def _parse_texts(document: Mapping[str, object], name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    found = document.get(name)
    if found is None:
        return default
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValidationFailed({name: ["Must be a list of strings."]})
    return tuple(found)
