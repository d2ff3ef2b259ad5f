"""Erasure of what pharmacists have noted."""

from comanda.contracts import Person
from comanda.devkit.testing import line
from comanda_pharmacy.erasure import ERASER


async def test_notes_of_a_person_are_erased(pharmacy, antibiotic):
    theirs, other = [await pharmacy.order(line(antibiotic), type="in_store") for _ in range(2)]
    for order in (theirs, other):
        await pharmacy.decide(order, note="Rui takes warfarin")
    person = Person(pharmacy.owner.id, pharmacy.id, 1, frozenset(), frozenset(), frozenset({theirs["id"]}))

    assert await ERASER.export(person) == [{"order_id": theirs["id"], "note": "Rui takes warfarin"}]

    await ERASER.erase(person)
    await ERASER.erase(person)

    notes = [(await pharmacy.get(f"/orders/{order['id']}/release"))["note"] for order in (theirs, other)]
    assert notes == ["erased", "Rui takes warfarin"]
