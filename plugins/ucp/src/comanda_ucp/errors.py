"""What refuses a call of an agent before anything is done, by the names of the protocol."""

from comanda.basics import BadRequest, ComandaError, Conflict


class InvalidAgent(BadRequest):
    """The header that names the agent's profile is missing or malformed."""

    code = "invalid_profile_url"
    message = 'The header UCP-Agent must name the profile of the platform: profile="https://…".'


class VersionUnsupported(ComandaError):
    """The agent speaks another version of the protocol."""

    status, code = 422, "version_unsupported"


class KeyReused(Conflict):
    """The idempotency key has come with another request."""

    code = "idempotency_mismatch"
    message = "This Idempotency-Key has been used for another request."
