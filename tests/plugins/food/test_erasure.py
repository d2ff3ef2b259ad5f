"""A guest who is erased leaves nothing on their health."""

from comanda.contracts import Person
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_food.erasure import ERASER

PERSONAL = {"avoid_traces", "restrictions_consent", "restrictions_override", "restrictions_overridden_by"}


async def test_restrictions_are_erased_with_their_guest(store, create_pesto):
    pesto = await create_pesto(variations=[], extra_groups=[])
    restricted = {"avoid_traces": ["milk"], "restrictions_consent": True, "restrictions_override": "They insist"}
    body = {"type": "takeaway", "items": [line(pesto)], **restricted}
    theirs = await store.send("POST", "/orders", body)
    others = await store.send("POST", "/orders", body)

    async with sql.transaction():
        await ERASER.erase(Person(store.owner.id, store.id, 1, frozenset(), frozenset(), frozenset({theirs["id"]})))

    assert not PERSONAL & (await store.get(f"/orders/{theirs['id']}")).document.keys()
    assert (await store.get(f"/orders/{others['id']}")).document.keys() >= PERSONAL
