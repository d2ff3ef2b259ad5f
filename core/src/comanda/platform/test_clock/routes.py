"""The test clock for tests and front ends in development.

The routes are part of no description of the API, and answer 404 like a path that does not exist while the clock is off.
"""

from comanda.contracts.requests.routes import PUBLIC, Routes
from comanda.platform.test_clock import services
from comanda.platform.test_clock.schemas import AdvanceBody, ClockOut
from comanda.platform.test_clock.services import ClockState

routes = Routes("Test clock", callers=PUBLIC, is_documented=False)


@routes.get("/test-clock", answers=ClockOut)
async def get_test_clock() -> ClockState:
    """Return the time of the test clock."""
    return services.get_state()


@routes.post("/test-clock/advance", status=200, answers=ClockOut)
async def advance_test_clock(body: AdvanceBody) -> ClockState:
    """Move the time of the whole installation forward; what falls due runs at once."""
    return await services.advance(body.by)
