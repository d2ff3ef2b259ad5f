"""How a group of routes lets callers in and says what went wrong, where that is not as the REST API does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from comanda.contracts.calls import Answer, Call
from comanda.http.answers import error_answer

if TYPE_CHECKING:
    # Access asks routes for their callers, and routes carry their dialect.
    from comanda.contracts.routes import Route
    from comanda.http.access import Access


class Dialect:
    """The REST API's manners, and the base of others."""

    async def admit(self, access: Access, route: Route, call: Call) -> None:
        """Find the caller and count the call, or raise what refuses it."""
        await access.admit(route, call)

    async def admit_unknown(self, access: Access, call: Call) -> None:
        """Count a call of a method that none of the path's routes has."""
        await access.admit_unknown(call)

    def allows_origin(self, origin: str) -> bool:
        """Return whether pages of an origin may call those of its routes that are open to browsers."""
        return True

    def error_answer(self, error: Exception, call: Call) -> Answer:
        """Tell an error."""
        return error_answer(error, call)


REST: Final = Dialect()
