"""The protocol of the REST API."""

from typing import Final

from comanda.contracts.requests.access import AccessControl, AccessRule
from comanda.contracts.requests.calls import Answer, Call
from comanda.contracts.requests.routes import ApiProtocol, Route
from comanda.platform.http.answers import error_answer


class RestProtocol:
    """Admits calls by the access rule of their route and answers errors with the envelope."""

    async def admit(self, access: AccessControl, rule: AccessRule, call: Call) -> None:
        """Set ``call.caller`` and count the call. Raises the error that rejects it."""
        await access.admit(rule, call)

    async def admit_unknown(self, access: AccessControl, call: Call) -> None:
        """Count a call with a method that no route of the path has."""
        await access.admit_unknown(call)

    def allows_origin(self, origin: str) -> bool:
        """Return True: routes that allow browsers allow pages of any origin."""
        return True

    def error_answer(self, error: BaseException, call: Call) -> Answer:
        """Return the envelope of an error."""
        return error_answer(error, call)


REST: Final = RestProtocol()


def get_protocol(route: Route | None) -> ApiProtocol:
    """Return a route's protocol, which is REST unless the route declares another."""
    return REST if route is None or route.protocol is None else route.protocol
