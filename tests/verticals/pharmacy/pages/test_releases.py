"""The orders that wait for a pharmacist in the dashboard."""

from comanda.devkit.testing import line, sign_in


async def test_order_is_released_from_the_list(pharmacy, antibiotic, dashboard):
    order = await pharmacy.order(line(antibiotic, 2), type="in_store", customer_name="Rui Costa")
    path = f"/stores/{pharmacy.id}/releases"
    waiting = await dashboard.get(path)

    assert await dashboard.post(f"{path}/{order['id']}", {"status": "released", "note": "Seen"}) == path

    released = await dashboard.get(f"{path}?status=released")
    assert all(text in waiting for text in ("Rui Costa", "Antibiotic", "Prescription only"))
    assert "No orders with this status" in await dashboard.get(path)
    assert all(text in released for text in ("Owner", "Seen"))


async def test_line_is_refused_from_the_list(pharmacy, antibiotic, dashboard):
    order = await pharmacy.order(line(antibiotic), line(await pharmacy.item("Plaster")), type="in_store")
    path = f"/stores/{pharmacy.id}/releases"
    body = {"status": "refused", "note": "Interaction", "line_id": str(order["items"][0]["id"])}

    await dashboard.post(f"{path}/{order['id']}", {**body, "note": ""})
    before = await pharmacy.get(f"/orders/{order['id']}")
    await dashboard.post(f"{path}/{order['id']}", body)

    assert len(before["items"]) == 2
    assert [each["name"] for each in (await pharmacy.get(f"/orders/{order['id']}"))["items"]] == ["Plaster"]


async def test_pharmacists_are_chosen(pharmacy, dashboard):
    member = await pharmacy.add_member()
    path = f"/stores/{pharmacy.id}/releases"
    assert f'value="{member.id}"> <bdi>Ada' in await dashboard.get(path)

    await dashboard.post(f"{path}/pharmacists", {"staff_ids": str(member.id)})

    assert f'value="{member.id}" checked> <bdi>Ada' in await dashboard.get(path)
    await dashboard.post(f"{path}/pharmacists", {})
    assert (await pharmacy.get("/pharmacists"))["staff_ids"] == []


async def test_only_pharmacists_release_in_the_dashboard(app, pharmacy, antibiotic):
    ada, bob = await pharmacy.add_member(is_pharmacist=True), await pharmacy.add_member()
    order = await pharmacy.order(line(antibiotic), type="in_store")
    path = f"/stores/{pharmacy.id}/releases"
    permissions = {"orders", "coupons"}
    for member, status in ((bob, 403), (ada, 303)):
        client = await sign_in(
            app, pharmacy.owner.id, kind="staff", store_id=pharmacy.id, subject_id=member.id, scopes=permissions
        )
        assert "They may release orders" not in await client.get(path)
        await client.post(f"{path}/{order['id']}", {"status": "released"}, status=status)
        is_released = await pharmacy.list_releases() == []
        assert is_released is (member is ada)
