"""What is known of a person who withdrew: exported, and erased except that somebody did."""

from comanda.platform.db import sql


async def create_customer(store):
    return await sql.fetch_value(
        """INSERT INTO customers_customer (owner_id, store_id, name, email, created_at)
           VALUES ($1, $2, 'Ana', 'ana@example.com', now()) RETURNING id""",
        store.owner.id,
        store.id,
    )


async def test_a_persons_statements_are_exported_and_erased(guest, store, new_order, published):
    customer_id = await create_customer(store)
    order = await new_order()
    await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order["id"], customer_id)
    await guest.confirm(email="ANA@example.com")
    # By another address, but from the page of their order.
    path = f"/withdraw/{order['track_token']}/statement"
    await guest.confirm(path, contract=str(order["number"]), email="ana@work.example")
    await guest.confirm(name="Eve", email="eve@example.com")

    exported = (await store.get(f"/customers/{customer_id}/export"))["records"]["legal"]
    erased = await store.send("DELETE", f"/customers/{customer_id}")

    assert [(each["email"], each["order_id"]) for each in exported] == [
        ("ANA@example.com", None),
        ("ana@work.example", order["id"]),
    ]
    assert erased.status == 204
    eve, by_order, by_address = await guest.list_stored()
    assert (eve["name"], eve["email"]) == ("Eve", "eve@example.com")
    for row in (by_order, by_address):
        assert [row[name] for name in ("email", "phone", "contract", "items")] == [None] * 4
        assert row["name"] != "Ana Silva"
        assert row["submitted_at"] is not None
    events = [data for name, data in await published() if name == "legal.withdrawal_received"]
    assert [event["sender"] for event in events] == [None, None, "Eve"]
    hashes = await sql.fetch(
        "SELECT body_hash IS NULL AS gone FROM legal_withdrawal WHERE owner_id = $1 ORDER BY id", store.owner.id
    )
    assert [row["gone"] for row in hashes] == [True, True, False]
