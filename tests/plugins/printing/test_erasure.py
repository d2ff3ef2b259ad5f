"""A person who is erased leaves nothing that was printed."""

from comanda.contracts import Person
from comanda_printing.erasure import erase_person


async def test_a_person_who_is_erased_leaves_no_jobs(shop, print_order, owner):

    await shop.add_printer()
    order = await print_order()
    await erase_person(Person(owner.id, shop.id, 1, frozenset(), frozenset(), frozenset([order["id"]])))

    assert await shop.list_jobs() == []
