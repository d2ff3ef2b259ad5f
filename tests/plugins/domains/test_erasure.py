"""The hosts of an erased owner."""

from comanda.accounts.owners.owner_erasure import erase_owner
from comanda.platform import runtime as runtime_module


async def test_hosts_of_an_owner_end_with_the_owner(shop, domain, name_server, owner):
    await shop.prove_host(domain, name_server)
    hosts = runtime_module.registry().store_hosts
    known = hosts.find(domain)

    await erase_owner(owner.email)
    await hosts.renew()

    assert known.store_id == shop.id
    assert hosts.find(domain) is None
