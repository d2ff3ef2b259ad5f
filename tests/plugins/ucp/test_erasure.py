"""What an agent said of a person is erased with the person."""

from comanda.contracts import Person
from comanda_storefront.erasure import ERASER

from tests.plugins.ucp.conftest import of


async def test_sessions_of_person_are_deleted(agent, soup):
    ana = await agent.check_out(of(soup), buyer={"first_name": "Ana", "email": "Ana@example.com"})
    phone = await agent.check_out(of(soup), buyer={"first_name": "Ana", "phone_number": "+351912345678"})
    rui = await agent.check_out(of(soup), buyer={"first_name": "Rui", "email": "rui@example.com"})
    store, phones, emails = agent.store, frozenset({"+351912345678"}), frozenset({"ana@example.com"})

    await ERASER.erase(Person(store.owner.id, store.id, 1, phones, emails, frozenset()))

    found = [(await agent.send("GET", f"/checkout-sessions/{each['id']}"))[0] for each in (ana, phone, rui)]
    assert found == [404, 404, 200]
