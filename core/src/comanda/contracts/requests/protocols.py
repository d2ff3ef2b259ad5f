"""Protocols of routes: authentication and errors where a group of routes does not follow REST."""

from typing import Protocol

from comanda.contracts.requests.access import AccessControl, AccessRule
from comanda.contracts.requests.calls import Answer, Call


class ApiProtocol(Protocol):
    """Admits calls and answers errors; the REST API's own is ``comanda.platform.http.rest.RestProtocol``."""

    async def admit(self, access: AccessControl, rule: AccessRule, call: Call) -> None:
        """Set ``call.caller`` and count the call. Raises what refuses it."""

    async def admit_unknown(self, access: AccessControl, call: Call) -> None:
        """Count a call with a method that none of the path's routes has."""

    def allows_origin(self, origin: str) -> bool:
        """Return whether pages of an origin may call those of its routes that are open to browsers."""

    def error_answer(self, error: BaseException, call: Call) -> Answer:
        """Return the answer to a call that failed."""
