"""Errors of the API: an HTTP status, a stable code for programs and a message for people."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TypeVar

T = TypeVar("T")


class ComandaError(Exception):
    """Base of every error that a caller sees. Services raise it; the gateway turns it into the response envelope.

    ``extras`` are the documented keys beside ``message``, ``code`` and ``errors``, such as ``reason``.
    """

    status = 500
    code = "server_error"
    message = "Something went wrong on our side."

    def __init__(
        self,
        message: str | None = None,
        *,
        extras: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.message = message or self.message
        self.extras = dict(extras or {})
        self.headers = dict(headers or {})
        super().__init__(self.message)

    def envelope(self) -> dict[str, object]:
        """Return the response body."""
        return {"message": self.message, "code": self.code, **self.extras}


class BadRequest(ComandaError):
    """The request cannot be parsed, such as malformed JSON."""

    status, code, message = 400, "bad_request", "The request could not be read."


class Unauthenticated(ComandaError):
    """The token is missing, unknown, expired, revoked or of a kind that this route does not accept."""

    status, code, message = 401, "unauthenticated", "A valid access token is required."

    def __init__(self, message: str | None = None, *, extras: Mapping[str, object] | None = None) -> None:
        super().__init__(message, extras=extras, headers={"WWW-Authenticate": "Bearer"})


class PaymentRequired(ComandaError):
    """The owner's wallet does not cover an amount, or a cap on its charges is reached; nothing was charged."""

    status, code, message = 402, "payment_required", "The balance does not cover this amount."


class Forbidden(ComandaError):
    """The caller is known but lacks the scope or permission."""

    status, code, message = 403, "forbidden", "This token is not allowed to do this."


class NotFound(ComandaError):
    """The resource does not exist or belongs to somebody else; the answer does not say which."""

    status, code, message = 404, "not_found", "Not found."


def require_found(value: T | None) -> T:
    """Return what was looked up. Raises ``NotFound`` for None."""
    if value is None:
        raise NotFound
    return value


class MethodNotAllowed(ComandaError):
    """The path exists, but not with this method."""

    status, code, message = 405, "method_not_allowed", "This method is not allowed here."


class Timeout(ComandaError):
    """The client took too long to send the request body."""

    status, code, message = 408, "request_timeout", "The request body took too long to arrive."


class Conflict(ComandaError):
    """The current state of the resource does not allow the request."""

    status, code, message = 409, "conflict", "This is not possible in the current state."


class PayloadTooLarge(ComandaError):
    """The request body is larger than the limit."""

    status, code, message = 413, "payload_too_large", "The request body is too large."


class UnsupportedMediaType(ComandaError):
    """The request body is not JSON."""

    status, code, message = 415, "unsupported_media_type", "Content-Type must be application/json."


class ValidationFailed(ComandaError):
    """Fields are missing or invalid. ``errors`` maps a dotted path such as ``items.0.quantity`` to sentences."""

    status, code, message = 422, "validation_failed", "Some fields are missing or invalid."

    def __init__(
        self,
        errors: Mapping[str, Sequence[str]] | None = None,
        *,
        extras: Mapping[str, object] | None = None,
        **fields: Sequence[str],
    ) -> None:
        self.errors = {name: list(sentences) for name, sentences in {**(errors or {}), **fields}.items()}
        first = next(iter(self.errors.values()), None)
        super().__init__(first[0] if first and len(self.errors) == 1 else None, extras=extras)

    def envelope(self) -> dict[str, object]:
        """Return the response body, with ``errors``."""
        return {**super().envelope(), "errors": self.errors}


class RateLimited(ComandaError):
    """Too many requests; ``retry_after_seconds`` says when to try again. A ``timedelta`` ends within that second."""

    status, code, message = 429, "rate_limited", "Too many requests. Try again shortly."

    def __init__(self, retry_after_seconds: int | timedelta) -> None:
        if isinstance(retry_after_seconds, timedelta):
            retry_after_seconds = int(retry_after_seconds.total_seconds()) + 1
        wait = max(1, retry_after_seconds)
        super().__init__(extras={"retry_after": wait}, headers={"Retry-After": str(wait)})


class Unavailable(ComandaError):
    """A service that the request depends on does not answer; retrying is safe."""

    status, code, message = 503, "unavailable", "The service is busy or restarting. Try again shortly."

    def __init__(self, message: str | None = None, *, retry_after_seconds: int = 1) -> None:
        super().__init__(message, headers={"Retry-After": str(retry_after_seconds)})
