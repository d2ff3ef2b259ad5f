"""New stores in the dashboard."""

FIELDS = {"title": "Bakery", "slug": "", "store_type": "restaurant", "currency": "EUR", "timezone": "Europe/Lisbon"}


async def test_a_store_is_created_and_opened(dashboard, store):
    page = await dashboard.get("/stores/new")
    to = await dashboard.post("/stores/new", {**FIELDS, "country": "PT"})

    assert "Kitchen display" in page
    assert to.endswith("/settings")
    assert 'value="Bakery"' in await dashboard.get(to)


async def test_a_wrong_form_keeps_its_values(dashboard):
    page = await dashboard.post("/stores/new", {**FIELDS, "slug": "No Spaces"}, status=422)

    assert 'value="No Spaces"' in page
    assert 'value="Bakery"' in page
    assert 'value="restaurant" required checked' in page
