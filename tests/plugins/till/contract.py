"""Path parameters and bodies of the routes of the till, for the tests of all routes."""

from secrets import token_bytes

from comanda.basics import clock
from comanda_till.models import Display


async def create_display(workshop):
    store_id = workshop.home or await workshop.store()
    made = await Display.create(
        owner_id=workshop.owner.id,
        store_id=store_id,
        code_hash=token_bytes(32),
        created_by="staff:1",
        created_at=clock.now(),
    )
    return made.id


FACTORIES = {"/staff/displays/{displayId}": create_display}
BODIES = {"ShownCheckBody": {"lines": [{"label": "Stolen", "amount": "1.00"}]}}
