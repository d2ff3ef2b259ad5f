"""Erasure of a customer: notes on garments go, weights and tags stay."""

from comanda.contracts import Person
from comanda.devkit.testing import line
from comanda_laundry.erasure import ERASER


async def test_notes_on_garments_are_deleted(laundry):
    order = await laundry.drop_off(line(laundry.shirt, 2))
    await laundry.tag(order, note="For Ana, wedding")

    person = Person(laundry.owner.id, laundry.id, 1, frozenset(), frozenset(), frozenset({order["id"]}))
    shown = [{"order_id": order["id"], "note": "For Ana, wedding"}] * 2
    assert await ERASER.export(person) == shown

    await ERASER.erase(person)

    assert await ERASER.export(person) == []

    assert [(each["tag"], each["note"]) for each in (await laundry.intake(order))["tagged"]] == [(1, None), (2, None)]
