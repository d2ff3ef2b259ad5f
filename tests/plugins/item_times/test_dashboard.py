"""The owner's pages: an item's form, its state, and times for many items at once."""

ROW = {"sold_at.0.days": ["", "fri", "mon"], "sold_at.0.from": "11:00", "sold_at.0.until": "14:00"}
EMPTY_ROW = {"sold_at.1.days": "", "sold_at.1.from": "", "sold_at.1.until": ""}
LUNCH = {"days": ["mon", "fri"], "from": "11:00", "until": "14:00"}


async def test_the_form_of_an_item_sets_its_times(cafe, dashboard):
    path = f"/stores/{cafe.id}/menu/items/{cafe.bread['id']}"
    before = await dashboard.get(path)
    body = {"name": "Bread", "price": "2", **ROW, **EMPTY_ROW, "sold_from": "", "sold_until": "2026-08-31"}

    await dashboard.post(path, body)

    item = (await cafe.get(f"/menu/items/{cafe.bread['id']}")).document
    assert (item["sold_at"], item["sold_until"], "sold_from" in item) == ([LUNCH], "2026-08-31", False)
    page = await dashboard.get(path)
    assert '<input type="time" id="field-sold_at-0-from" name="sold_at.0.from"' in before
    assert 'name="sold_at.0.until" value="14:00"' in page
    assert 'name="sold_at.0.days" value="fri" checked> Friday' in page
    assert 'id="field-sold_until" name="sold_until" type="date" value="2026-08-31"' in page


async def test_the_form_says_what_is_wrong(cafe, dashboard):
    path = f"/stores/{cafe.id}/menu/items/{cafe.bread['id']}"
    body = {"name": "Bread", "price": "2", **ROW, "sold_at.0.until": "", "sold_from": "2026-09-01"}

    page = await dashboard.post(path, {**body, "sold_until": "2026-08-31"}, status=422)

    assert 'id="field-sold_at-0-until-error">This field is required.' in page
    assert "Must not be before the first day of sale." in page
    assert "sold_at" not in (await cafe.get(f"/menu/items/{cafe.bread['id']}")).document


async def test_the_menu_says_what_is_not_sold_now(cafe, dashboard, set_time):
    pages = (f"/stores/{cafe.id}/menu", f"/stores/{cafe.id}/menu/items/{cafe.pancakes['id']}")
    sold = [await dashboard.get(page) for page in pages]
    set_time("2026-07-30 11:00")

    off = [await dashboard.get(page) for page in pages]

    assert not any("Not sold now" in page for page in sold)
    assert all(page.count("Not sold now") == 1 and 'datetime="2026-07-31T05:00' in page for page in off)


async def test_selected_items_get_times_at_once(cafe, dashboard):
    ids = [str(cafe.bread["id"]), str(cafe.pancakes["id"])]
    chosen = {"selected": ids, "action": "fields", "capability": "item_times"}
    to = await dashboard.post(f"/stores/{cafe.id}/menu/bulk", chosen)
    page = await dashboard.get(to)

    await dashboard.post(to.partition("?")[0], {"_item": ids, **ROW})

    items = (await cafe.get("/menu")).document[0]["items"]
    assert [each["sold_at"] for each in items] == [[LUNCH]] * 2
    assert all(f'name="_item" value="{each}"' in page for each in ids)
    assert 'name="sold_at.0.from"' in page


async def test_fields_of_other_store_types_are_not_found(cafe, dashboard):
    for code in ("expiry", "nothing"):
        await dashboard.get(f"/stores/{cafe.id}/menu/fields/{code}", status=404)
