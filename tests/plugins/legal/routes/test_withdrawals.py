"""Routes of withdrawals: the list of a store, and what is handled."""

from comanda.devkit.testing import TestStore


async def test_the_newest_statement_comes_first(guest, store):
    for name in ("Ana", "Bea", "Rui"):
        await guest.confirm(name=name)

    found = await store.get("/withdrawals?per_page=2")

    assert [each["name"] for each in found["data"]] == ["Rui", "Bea"]
    assert (found["total"], {each["restaurant_id"] for each in found["data"]}) == (3, {store.id})


async def test_a_statement_is_handled_once(guest, store, clock):
    await guest.confirm(name="Ana")
    await guest.confirm(name="Bea")
    ana = (await guest.list_stored())[1]

    first = await store.send("POST", f"/withdrawals/{ana['id']}/handled")
    clock.advance(minutes=5)
    again = await store.send("POST", f"/withdrawals/{ana['id']}/handled")

    assert (first.status, again.status) == (200, 200)
    assert first["handled_at"] is not None
    assert (again["handled_at"], again["handled_by"]) == (first["handled_at"], first["handled_by"])
    lists = [(await store.get(f"/withdrawals?is_handled={value}"))["data"] for value in ("true", "false")]
    assert [[each["name"] for each in found] for found in lists] == [["Ana"], ["Bea"]]


async def test_statements_of_another_owner_are_not_there(guest, store, client, other_owner):
    await guest.confirm()
    [stored] = await guest.list_stored()
    path = f"/withdrawals/{stored['id']}/handled"
    stranger = TestStore(client, other_owner, await other_owner.store())

    replies = [
        await stranger.send("POST", path),
        await stranger.send_to(f"/api/v1/restaurants/{store.id}{path}", "POST"),
        await stranger.send_to(f"/api/v1/restaurants/{store.id}/withdrawals", "GET"),
    ]

    assert [reply.status for reply in replies] == [404] * 3
    assert (await stranger.get("/withdrawals"))["data"] == []
    assert (await guest.list_stored())[0]["handled_at"] is None


async def test_marking_needs_the_scope_to_write_orders(guest, store, owner, client):
    await guest.confirm()
    [stored] = await guest.list_stored()
    headers = await owner.token_with("orders:read")

    response = await client.post(f"/api/v1/restaurants/{store.id}/withdrawals/{stored['id']}/handled", headers=headers)

    assert response.status_code == 403
    assert (await guest.list_stored())[0]["handled_at"] is None
