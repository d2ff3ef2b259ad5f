"""Store credit in the dashboard."""

import pytest


@pytest.fixture
def path(store):
    return f"/stores/{store.id}/store-credit"


async def get_balance(store, customer):
    return (await store.get(f"/store-credit/{customer.id}"))["balance"]


async def test_credit_is_granted_on_the_page_of_a_customer_and_adjusted(dashboard, store, customer, path):
    assert "No store credit yet" in await dashboard.get(path)
    one = f"{path}/{customer.id}"
    panel = await dashboard.get(f"/stores/{store.id}/customers/{customer.id}")
    assert f'href="/dashboard{one}/new"' in panel

    assert await dashboard.post(f"{one}/new", {"kind": "grant", "amount": "10", "note": "Cold soup"}) == one
    await dashboard.post(f"{one}/new", {"kind": "adjust", "amount": "-2,5", "note": "Too much"})
    page = await dashboard.get(one)

    assert await get_balance(store, customer) == 7.5
    assert "Cold soup" in page
    assert "Store credit of Ada" in page
    listed = await dashboard.get(path)
    assert "Ada" in listed
    assert "€7.50" in listed
    assert "€7.50" in await dashboard.get(f"/stores/{store.id}/customers/{customer.id}")


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "grant", "amount": "-1", "note": "x"},
        {"kind": "adjust", "amount": "-1", "note": "x"},
        {"kind": "grant", "amount": "5", "note": ""},
    ],
)
async def test_refused_entry_changes_nothing(dashboard, store, customer, path, fields):
    page = await dashboard.post(f"{path}/{customer.id}/new", fields, status=422)

    assert 'aria-invalid="true"' in page
    assert await get_balance(store, customer) == 0


async def test_customer_of_another_store_looks_missing(dashboard, store, open_store, customer):
    other = f"/stores/{(await open_store('restaurant')).id}/store-credit/{customer.id}"

    await dashboard.get(other, status=404)
    await dashboard.get(f"{other}/new", status=404)
    await dashboard.post(f"{other}/new", {"kind": "grant", "amount": "10", "note": "x"}, status=404)
    assert await get_balance(store, customer) == 0
