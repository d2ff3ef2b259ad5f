"""Errors of the OAuth endpoints, in the form that the standards give them."""

from collections.abc import Mapping

from comanda.basics import ComandaError
from comanda.web import N_


class OAuthError(ComandaError):
    """A refusal with a code of RFC 6749, RFC 7009, RFC 7591 or RFC 8707, beside the message and code of every error."""

    status, code, message = 400, "bad_request", "This request is not valid."

    def __init__(self, error: str, description: str | None = None, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(description, headers=headers)
        self.error = error
        if error == "invalid_client":
            self.status, self.code = 401, "unauthenticated"
            self.headers.setdefault("WWW-Authenticate", 'Basic realm="oauth"')

    def envelope(self) -> dict[str, object]:
        """Return the response body."""
        return {"error": self.error, "error_description": self.message, **super().envelope()}


class AuthorizationRefused(ComandaError):
    """An authorization request without a client or redirect address that could be trusted: a page tells the visitor."""

    status, code = 400, "bad_request"


class AppUnavailable(AuthorizationRefused):
    """The app is suspended or no longer offered."""

    status, code = 403, "forbidden"
    message = N_("This app is not available at the moment. Ask its publisher.")


class AuthorizationFailed(Exception):
    """An authorization request that is answered to the client: ``location`` is where the browser goes."""

    def __init__(self, location: str) -> None:
        super().__init__("The authorization request was refused.")
        self.location = location
