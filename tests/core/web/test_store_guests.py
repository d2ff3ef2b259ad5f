"""Guests at pages of a store: the store by its address."""

import pytest
from comanda.basics.errors import NotFound
from comanda.platform.db import sql
from comanda.web import store_guests


@pytest.fixture
async def slug(store):
    return await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)


async def test_store_is_found_by_its_slug(store, slug):
    found = await store_guests.get_public_store(slug)

    assert (found.id, found.owner_id, found.slug) == (store.id, store.owner.id, slug)
    assert found.has("tables")
    assert not found.has("tables", "rooms")
    assert found.guest.reaches(store.id)
    assert not found.guest.reaches(store.id + 1)
    assert not found.guest.may("orders:read")


@pytest.mark.parametrize("slug", ["nowhere", "", "a\x00b", "x" * 101, "' OR 1=1"])
async def test_unknown_address_is_not_found(store, slug):
    with pytest.raises(NotFound):
        await store_guests.get_public_store(slug)


async def test_hidden_store_is_found_by_those_who_have_business_with_it(store, slug, other_owner):
    await sql.execute("UPDATE core_store SET is_published = false WHERE id = $1", store.id)

    with pytest.raises(NotFound):
        await store_guests.get_public_store(slug)
    assert not (await store_guests.get_store(store.owner.id, store.id)).is_published
    with pytest.raises(NotFound):
        await store_guests.get_store(other_owner.id, store.id)


async def test_store_of_a_suspended_owner_is_not_found(store, slug):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", store.owner.id)

    with pytest.raises(NotFound):
        await store_guests.get_public_store(slug)
    with pytest.raises(NotFound):
        await store_guests.get_store(store.owner.id, store.id)
