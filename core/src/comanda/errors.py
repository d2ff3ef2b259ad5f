"""What can go wrong, as the API says it: a status, a stable code for programs, a sentence for people."""

from collections.abc import Mapping, Sequence


class ComandaError(Exception):
    """Base of every error that a caller sees. Services raise it, the gateway turns it into the envelope.

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
        """The body of the answer."""
        return {"message": self.message, "code": self.code, **self.extras}


class BadRequest(ComandaError):
    """The request is not one we can read, such as malformed JSON."""

    status, code, message = 400, "bad_request", "The request could not be read."


class Unauthenticated(ComandaError):
    """No token, or one that is unknown, expired, revoked or of a kind that this route does not take."""

    status, code, message = 401, "unauthenticated", "A valid access token is required."

    def __init__(self, message: str | None = None, *, extras: Mapping[str, object] | None = None) -> None:
        super().__init__(message, extras=extras, headers={"WWW-Authenticate": "Bearer"})


class Forbidden(ComandaError):
    """The caller is known but lacks the scope or permission."""

    status, code, message = 403, "forbidden", "This token may not do that."


class NotFound(ComandaError):
    """It does not exist, or is not the caller's: which of the two is not told."""

    status, code, message = 404, "not_found", "There is nothing here, or it is not yours."


class MethodNotAllowed(ComandaError):
    """The path exists, the method does not."""

    status, code, message = 405, "method_not_allowed", "This address does not take that method."


class Timeout(ComandaError):
    """The client took too long to send its body."""

    status, code, message = 408, "request_timeout", "The body took too long to arrive."


class Conflict(ComandaError):
    """The state of things does not allow it now."""

    status, code, message = 409, "conflict", "That is not possible in the current state."


class PayloadTooLarge(ComandaError):
    """The body is larger than the limit."""

    status, code, message = 413, "payload_too_large", "The body is too large."


class UnsupportedMediaType(ComandaError):
    """The body is not JSON."""

    status, code, message = 415, "unsupported_media_type", "Send the body as application/json."


class ValidationFailed(ComandaError):
    """Fields are missing or wrong. ``errors`` maps a dotted path such as ``items.0.quantity`` to sentences."""

    status, code, message = 422, "validation_failed", "The request has fields that are missing or wrong."

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
        """The body of the answer, with ``errors``."""
        return {**super().envelope(), "errors": self.errors}


class RateLimited(ComandaError):
    """Too many requests; ``retry_after_seconds`` says when to come back."""

    status, code, message = 429, "rate_limited", "Too many requests. Try again shortly."

    def __init__(self, retry_after_seconds: int) -> None:
        wait = max(1, retry_after_seconds)
        super().__init__(extras={"retry_after": wait}, headers={"Retry-After": str(wait)})


class Unavailable(ComandaError):
    """Something that we depend on does not answer; trying again is safe."""

    status, code, message = 503, "unavailable", "The service is busy or restarting. Try again shortly."

    def __init__(self, message: str | None = None, *, retry_after_seconds: int = 1) -> None:
        super().__init__(message, headers={"Retry-After": str(retry_after_seconds)})
