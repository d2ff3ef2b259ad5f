"""Authorization requests: what a client asks for, checked before anybody is asked to consent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc6749 import UnsupportedResponseTypeError
from comanda.platform import runtime
from comanda.web import N_

from comanda_oauth.errors import AppUnavailable, AuthorizationFailed, AuthorizationRefused, OAuthError
from comanda_oauth.records import Client
from comanda_oauth.services import resources
from comanda_oauth.services.grantors import CUSTOMER, Grantor, find_grantor
from comanda_oauth.services.tokens.authlib_server import LoadedClient, MemoryRequest, MemoryServer, OAuth2Error

MAX_STATE_LENGTH: Final = 4000
UNKNOWN_CLIENT: Final = N_("This app is not known here. Ask its publisher, and do not enter a password anywhere else.")
UNKNOWN_REDIRECT: Final = N_(
    "The address that this app wants to send you to is not one of its registered addresses, so we stopped here."
)


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """What a client asks an owner or a customer for.

    ``resource`` is a path, None for a token that is valid everywhere.
    """

    client: Client
    grantor: Grantor
    redirect_uri: str
    is_redirect_given: bool
    scopes: tuple[str, ...]
    state: str | None
    resource: str | None
    code_challenge: str | None
    is_expiring: bool
    parameters: Mapping[str, Sequence[str]] = field(repr=False)

    def build_location(self, **answer: str) -> str:
        """Return the redirect address with an answer, the state and the issuer (RFC 9207)."""
        return build_location(self.redirect_uri, self.state, **answer)


def check_request(loaded: LoadedClient | None, parameters: Mapping[str, Sequence[str]]) -> AuthorizationRequest:
    """Return what a client asks for.

    Raises ``AuthorizationRefused`` if the client or the redirect address cannot be trusted, and otherwise
    ``AuthorizationFailed`` with the address that tells the client what is wrong.
    """
    if loaded is None or len(parameters.get("client_id", ())) != 1:
        raise AuthorizationRefused(UNKNOWN_CLIENT)
    redirect_uri = _get_redirect_uri(loaded, parameters)
    if not loaded.client.is_enabled:
        raise AppUnavailable
    states = parameters.get("state", ())
    state = states[0] if len(states) == 1 and 0 < len(states[0]) <= MAX_STATE_LENGTH else None
    try:
        resource = _get_resource(parameters)
        grantor = get_grantor(parameters)
        granted = _run_grant(loaded, grantor, parameters)
    except OAuth2Error as error:
        is_wrong_type = isinstance(error, UnsupportedResponseTypeError)
        description = "The response_type must be code." if is_wrong_type else error.get_error_description() or ""
        raise AuthorizationFailed(
            build_location(redirect_uri, state, error=error.error or "invalid_request", error_description=description)
        ) from error
    except OAuthError as error:
        raise AuthorizationFailed(
            build_location(redirect_uri, state, error=error.error, error_description=error.message)
        ) from error
    return AuthorizationRequest(
        client=loaded.client,
        grantor=grantor,
        redirect_uri=redirect_uri,
        is_redirect_given="redirect_uri" in parameters,
        scopes=tuple(dict.fromkeys(granted.split())),
        state=state,
        resource=resource,
        code_challenge=next(iter(parameters.get("code_challenge", ())), None),
        is_expiring=parameters.get("expiring") == ["1"],
        parameters=parameters,
    )


def get_grantor(parameters: Mapping[str, Sequence[str]]) -> Grantor:
    """Return who is asked for access. Raises ``OAuthError`` for an unknown resource."""
    callers = resources.get_callers(_get_resource(parameters))
    return find_grantor(callers, " ".join(parameters.get("scope", ())))


def build_location(redirect_uri: str, state: str | None, **answer: str) -> str:
    """Return a redirect address with an answer, the state and the issuer."""
    given = {**answer, "state": state, "iss": runtime.settings().site_url}
    return str(add_params_to_uri(redirect_uri, [(name, value) for name, value in given.items() if value]))


def _get_redirect_uri(loaded: LoadedClient, parameters: Mapping[str, Sequence[str]]) -> str:
    """Return the address to answer to. Raises ``AuthorizationRefused``."""
    given = parameters.get("redirect_uri", ())
    if len(given) > 1:
        raise AuthorizationRefused(UNKNOWN_REDIRECT)
    uri = given[0] if given else loaded.get_default_redirect_uri()
    if not uri or not loaded.check_redirect_uri(uri):
        raise AuthorizationRefused(UNKNOWN_REDIRECT)
    return uri


def _run_grant(loaded: LoadedClient, grantor: Grantor, parameters: Mapping[str, Sequence[str]]) -> str:
    """Return the scopes that may be asked for. Raises ``OAuth2Error``, ``OAuthError``."""
    for name in ("code_challenge", "code_challenge_method", "expiring"):
        if len(parameters.get(name, ())) > 1:
            raise OAuthError("invalid_request", f"The parameter {name} is repeated.")
    if grantor is CUSTOMER and not any(parameters.get("code_challenge", ())):
        raise OAuthError("invalid_request", "A code_challenge is required.")
    # A client may have scopes of both; nobody is asked for what the other one grants.
    registered = tuple(scope for scope in loaded.client.scopes if scope in grantor.labels)
    loaded = replace(loaded, client=replace(loaded.client, scopes=registered))
    grant = MemoryServer(loaded).get_consent_grant(MemoryRequest("GET", parameters))
    return str(grant.request.scope)


def _get_resource(parameters: Mapping[str, Sequence[str]]) -> str | None:
    wanted = parameters.get("resource", ())
    if len(wanted) > 1:
        raise OAuthError("invalid_target", "A token is for one resource.")
    return resources.normalize(wanted[0] if wanted else None)
