"""QR codes in the dashboard."""


async def test_codes_are_shown_downloaded_and_printed_for_tables(dashboard, store):
    path = f"/stores/{store.id}/qr-codes"

    page = await dashboard.get(path)
    picture = await dashboard.get(f"{path}/code.svg")
    sheet = await dashboard.get(f"{path}/sheet?tables=1-3,+Terrace")

    assert "code.png" in page
    assert "<svg" in picture
    assert "Terrace" in sheet
    await dashboard.get(f"{path}/code.exe", status=404)


async def test_wrong_tables_are_refused_beside_the_field(dashboard, store):
    page = await dashboard.get(f"/stores/{store.id}/qr-codes/sheet?tables=1-9999", status=422)

    assert 'value="1-9999"' in page
    assert 'aria-invalid="true"' in page
