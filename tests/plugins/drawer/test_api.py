"""What other plugins ask of drawers."""

from comanda_drawer.api import list_open_drawers


async def test_open_drawers_are_listed_by_name(drawers, elsewhere):
    for name in ("Terrace", "Bar"):
        await drawers.open_shift(name)
    await drawers.close_shift(await drawers.open_shift("Kiosk"))

    assert await list_open_drawers(drawers.owner.id, drawers.id) == ["Bar", "Terrace"]
    assert await list_open_drawers(drawers.owner.id, elsewhere.id) == []
