"""Signed links: valid for one row of one owner, until they expire."""

from datetime import timedelta
from urllib.parse import parse_qs

import pytest
from comanda.accounts import administration
from comanda.basics.owner_prefix import add_owner_prefix
from comanda.platform.encryption.signed_links import find_link_owner, sign_link


@pytest.fixture
async def link(owner, clock):
    found = await sign_link("test.file", owner.id, 7, timedelta(minutes=15))
    return {name: values[0] for name, values in parse_qs(found.query).items()}


async def test_link_names_its_owner_until_it_expires(link, owner, clock):
    assert await find_link_owner("test.file", 7, **link) == owner.id
    clock.advance(minutes=21)
    assert await find_link_owner("test.file", 7, **link) is None


async def test_forged_link_names_nobody(link, other_owner):
    expires, signature = link["expires"], link["signature"]

    assert await find_link_owner("test.file", 8, expires, signature) is None
    assert await find_link_owner("other.file", 7, expires, signature) is None
    assert await find_link_owner("test.file", 7, str(int(expires) + 1), signature) is None
    assert await find_link_owner("test.file", 7, expires, add_owner_prefix(other_owner.id, signature[-64:])) is None
    assert await find_link_owner("test.file", 7, expires, signature[-64:]) is None
    assert await find_link_owner("test.file", 7, "x", signature) is None


async def test_link_of_suspended_owner_names_nobody_until_the_owner_is_back(link, owner):
    await administration.suspend_owner(owner.id, "Unpaid")
    assert await find_link_owner("test.file", 7, **link) is None

    await administration.unsuspend_owner(owner.id)
    assert await find_link_owner("test.file", 7, **link) == owner.id
