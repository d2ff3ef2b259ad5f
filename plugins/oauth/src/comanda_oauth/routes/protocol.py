"""The protocol of the OAuth endpoints: limits of their own, and errors with the codes of the standards."""

from typing import Final

import orjson
from comanda.contracts import AccessControl, AccessRule, Answer, Call
from comanda.platform.http import error_answer, to_public_error

from comanda_oauth import settings
from comanda_oauth.errors import OAuthError

# RFC 6749, section 4.1.2.1, names these for the authorization endpoint; the token endpoint has none of its own.
SERVER_ERROR: Final = 500
TOO_MANY: Final = 429


class OAuthProtocol:
    """Admits calls by the address of the client, and answers errors with ``error`` and ``error_description``."""

    async def admit(self, access: AccessControl, rule: AccessRule, call: Call) -> None:
        """Count the call. Clients authenticate in its body or header, which the endpoint reads."""
        await self._count(access, call)

    async def admit_unknown(self, access: AccessControl, call: Call) -> None:
        """Count a call with another method."""
        await self._count(access, call)

    def allows_origin(self, origin: str) -> bool:
        """Return True: apps that run in a browser are clients too."""
        return True

    def error_answer(self, error: BaseException, call: Call) -> Answer:
        """Return the envelope of an error, with the keys of the standards."""
        answer = error_answer(error, call)
        if isinstance(error, OAuthError):
            return answer
        known = to_public_error(error)
        name = "invalid_request"
        if known.status >= SERVER_ERROR:
            name = "server_error"
        elif known.status == TOO_MANY:
            name = "temporarily_unavailable"
        body = {"error": name, "error_description": known.message, **orjson.loads(answer.body)}
        answer.body = orjson.dumps(body)
        return answer

    async def _count(self, access: AccessControl, call: Call) -> None:
        await access.count(call, f"oauth:client:{call.client_network}", settings.get_settings().requests_per_minute)


OAUTH: Final = OAuthProtocol()
