"""Order routes of the customer."""

from comanda.devkit.testing import line


async def test_orders_of_others_return_404(ada, make_shopper, owner, store, soup):
    strange = await store.order(line(soup))
    mine = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})
    eve, elsewhere = make_shopper(), make_shopper(await owner.store())
    await eve.log_in_by_code(email="eve@example.com")
    await elsewhere.log_in_by_code(email="ada@example.com")

    assert (await ada.send("GET", f"/orders/{strange['id']}")).status == 404
    for other in (eve, elsewhere):
        assert (await other.send("GET", f"/orders/{mine['id']}")).status == 404
        assert (await other.get("/orders"))["data"] == []
