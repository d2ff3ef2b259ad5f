"""Public records of stores."""


async def test_store_has_no_contact_data(public, lisbon, owner):
    detail = (await lisbon.get()).document

    by_slug = await public.call("get_store", {"slug": detail["slug"]})
    by_id = await public.call("get_store", {"id": lisbon.id})

    assert by_slug == by_id
    assert by_id == {
        **{name: detail[name] for name in ("id", "title", "slug", "url", "store_type", "currency", "timezone")},
        "label": "Restaurant", "address": "Rua 1, 1200-310 Lisboa", "country": "PT", "is_open": True,
        "next_open_at": None, "closes_at": None, "hours": None, "categories": ["Caldos quentes", "For Bolo-rei mágico"],
        "modes": [
            {"code": "on-table", "label": "Dine in"}, {"code": "takeaway", "label": "Takeaway"},
            {"code": "delivery", "label": "Delivery"}, {"code": "room_service", "label": "Room service"},
        ],
    }  # fmt: skip
    everything = str([by_id, await public.call("search_stores"), await public.call("search_items", {"query": "bolo"})])
    assert owner.email not in everything
    assert "555 0140" not in everything
    assert "phone" not in everything


async def test_expired_and_out_of_stock_goods_are_not_found(public, new_store):
    store = await new_store("pharmacy")
    await store.item("Zinctab", stock=0)
    await store.item("Zinctab old", stock=5, expires_on="2020-01-01")
    await store.item("Zinctab new", stock=5, expires_on="2090-01-01")

    result = await public.call("search_items", {"query": "zinctab"})

    assert [item["name"] for each in result["stores"] for item in each["items"]] == ["Zinctab new"]
