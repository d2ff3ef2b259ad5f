"""The routes of prepayments."""


async def test_prepayments_are_listed_and_filtered(payer, new_deposit, paid_deposit, selling):
    await new_deposit()
    paid = await paid_deposit()
    await payer.buy()

    listed = await payer.list()

    assert [(each["kind"], each["status"]) for each in listed] == [
        ("gift_card", "open"), ("deposit", "paid"), ("deposit", "open"),
    ]  # fmt: skip
    found = (await payer.store.get("/prepayments?kind=deposit&status=paid"))["data"]
    assert [each["id"] for each in found] == [paid["id"]]
    assert (await payer.store.send("GET", "/prepayments?status=x")).status == 422


async def test_prepayment_of_another_store_is_not_there(payer, paid_deposit, other_store):
    deposit = await paid_deposit()

    assert (await other_store.send("GET", f"/prepayments/{deposit['id']}")).status == 404
    for act, body in (("keep", None), ("refund", {"reason": "x"})):
        assert (await other_store.send("POST", f"/prepayments/{deposit['id']}/{act}", body)).status == 404
    assert (await payer.store.get(f"/prepayments/{deposit['id']}"))["status"] == "paid"
