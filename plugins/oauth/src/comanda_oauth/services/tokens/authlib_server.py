"""Authlib's grants, run on what was loaded before: they are synchronous, and nothing in here reads or writes.

Callers load the client and the code or refresh token, run a grant, and store what it granted. Authlib decides by the
standards: which client authenticates how, whose code and token it is, redirect addresses, PKCE and scopes.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import AuthorizationServer, InvalidRequestError, OAuth2Payload, OAuth2Request
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc7636 import CodeChallenge

from comanda_oauth import scopes
from comanda_oauth.records import Client
from comanda_oauth.services.clients.redirect_uris import matches

__all__ = ["LoadedClient", "LoadedCode", "LoadedRefreshToken", "MemoryRequest", "MemoryServer", "OAuth2Error"]

CODE_BYTES: Final = 32
AUTH_METHODS: Final = ["client_secret_basic", "client_secret_post", "none"]
# Authlib refuses plain http, which is the business of the server that terminates TLS here. It reads nothing else of it.
REQUEST_URI: Final = "https://localhost/"

Parameters = Mapping[str, Sequence[str]]


class MemoryPayload(OAuth2Payload):
    """The parameters of a request. One without a value counts as left out (RFC 6749, section 3.1)."""

    def __init__(self, parameters: Parameters) -> None:
        self._datalist = {name: list(values) for name, values in parameters.items() if any(values)}
        self._data = {name: values[-1] for name, values in self._datalist.items()}

    @property
    def data(self) -> dict[str, str]:
        """The values by name."""
        return self._data

    @property
    def datalist(self) -> dict[str, list[str]]:
        """All values by name."""
        return self._datalist


class MemoryRequest(OAuth2Request):
    """A request of the authorization endpoint or the token endpoint."""

    def __init__(self, method: str, parameters: Parameters, authorization: str | None = None) -> None:
        super().__init__(method, REQUEST_URI, headers={"Authorization": authorization} if authorization else {})
        self.payload = MemoryPayload(parameters)

    @property
    def args(self) -> dict[str, str]:
        """The parameters of the query."""
        return self.payload.data

    @property
    def form(self) -> dict[str, str]:
        """The parameters of the form."""
        return self.payload.data


@dataclass(frozen=True, slots=True)
class LoadedClient:
    """A client as Authlib asks about it. ``is_valid_secret`` compares with the secrets that were loaded with it."""

    client: Client
    is_valid_secret: Callable[[str], bool]

    def check_client_secret(self, secret: str) -> bool:
        return self.is_valid_secret(secret)

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return (method == "none") == self.client.is_public

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in {CodeGrant.GRANT_TYPE, RefreshGrant.GRANT_TYPE}

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_redirect_uri(self, uri: str) -> bool:
        return any(matches(uri, registered) for registered in self.client.redirect_uris)

    def get_default_redirect_uri(self) -> str | None:
        return self.client.redirect_uris[0] if len(self.client.redirect_uris) == 1 else None

    def get_allowed_scope(self, requested: str | None) -> str | None:
        wanted = scopes.parse(requested) if requested else self.client.scopes
        # MCP clients ask for all that the metadata or their registration names, whatever may be asked for.
        if set(wanted) in (set(scopes.LABELS), set(scopes.CUSTOMER_LABELS), set(scopes.NAMES)):
            wanted = self.client.scopes
        return " ".join(wanted) if scopes.includes(self.client.scopes, wanted) and wanted else None


@dataclass(frozen=True, slots=True)
class LoadedCode:
    """A code as Authlib asks about it, for the client whose it is."""

    client_row_id: int
    redirect_uri: str
    scope: str
    code_challenge: str | None
    code_challenge_method: str = "S256"

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope


@dataclass(frozen=True, slots=True)
class LoadedRefreshToken:
    """A refresh token as Authlib asks about it."""

    client_row_id: int
    scope: str

    def check_client(self, client: LoadedClient) -> bool:
        return client.client.id == self.client_row_id

    def get_scope(self) -> str:
        return self.scope


class CodeGrant(AuthorizationCodeGrant):
    """The authorization code grant."""

    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS

    def generate_authorization_code(self) -> str:
        return secrets.token_urlsafe(CODE_BYTES)

    def save_authorization_code(self, code: str, request: MemoryRequest) -> None:
        self.server.issued_code = code

    def query_authorization_code(self, code: str, client: LoadedClient) -> LoadedCode | None:
        found: LoadedCode | None = self.server.code
        return found if found is not None and found.client_row_id == client.client.id else None

    def delete_authorization_code(self, authorization_code: LoadedCode) -> None:
        """Delete nothing here: the caller marks it as used."""

    def authenticate_user(self, authorization_code: LoadedCode) -> bool:
        return True


class RefreshGrant(RefreshTokenGrant):
    """The refresh token grant, whose refresh tokens rotate."""

    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> LoadedRefreshToken | None:
        found: LoadedRefreshToken | None = self.server.refresh_token
        return found

    def authenticate_user(self, refresh_token: LoadedRefreshToken) -> bool:
        return True

    def revoke_old_credential(self, refresh_token: LoadedRefreshToken) -> None:
        """Revoke nothing: the old one stays valid until the new one is used."""


class RequiredChallenge(CodeChallenge):
    """PKCE with S256 alone: for public clients always, for others if they send a challenge."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]

    def validate_code_challenge(self, grant: CodeGrant, redirect_uri: str) -> None:
        """Check the challenge of an authorization request. Raises ``InvalidRequestError``."""
        data = grant.request.payload.data
        if grant.request.client.client.is_public and "code_challenge" not in data:
            raise InvalidRequestError("A code_challenge is required for this client.")
        if "code_challenge" in data and data.get("code_challenge_method") != "S256":
            raise InvalidRequestError("The code_challenge_method must be S256.")
        super().validate_code_challenge(grant, redirect_uri)


class MemoryServer(AuthorizationServer):
    """An authorization server that knows one client, and one code or refresh token."""

    def __init__(
        self,
        client: LoadedClient | None,
        *,
        code: LoadedCode | None = None,
        refresh_token: LoadedRefreshToken | None = None,
    ) -> None:
        super().__init__()
        self.client, self.code, self.refresh_token = client, code, refresh_token
        self.issued_code: str | None = None
        self.register_grant(CodeGrant, [RequiredChallenge(required=True)])
        self.register_grant(RefreshGrant)
        self.register_token_generator("default", _describe_token)

    def query_client(self, client_id: str) -> LoadedClient | None:
        return self.client if self.client is not None and self.client.client.client_id == client_id else None

    def save_token(self, token: Mapping[str, Any], request: MemoryRequest) -> None:
        """Store nothing here: the caller stores what was granted."""

    def send_signal(self, name: str, *args: object, **kwargs: object) -> None:
        """Send no signal: nobody listens."""

    def create_oauth2_request(self, request: MemoryRequest) -> MemoryRequest:
        return request

    def handle_response(self, status: int, body: Any, headers: Sequence[tuple[str, str]]) -> tuple[int, Any]:
        return status, body

    def grant_token(self, request: MemoryRequest) -> str:
        """Return the scopes that a token request is granted. Raises ``OAuth2Error``."""
        grant = self.get_token_grant(request)
        grant.validate_token_request()
        _, token, _ = grant.create_token_response()
        return str(token["scope"])


def _describe_token(*, scope: str, **_: object) -> dict[str, str]:
    return {"token_type": "Bearer", "scope": scope}
