"""What other plugins ask of drawers."""

from comanda_drawer.api import list_counted_drawers, list_open_drawers


async def test_open_drawers_are_listed_by_name(drawers, elsewhere):
    for name in ("Terrace", "Bar"):
        await drawers.open_shift(name)
    await drawers.close_shift(await drawers.open_shift("Kiosk"))

    assert await list_open_drawers(drawers.owner.id, drawers.id) == ["Bar", "Terrace"]
    assert await list_open_drawers(drawers.owner.id, elsewhere.id) == []


async def test_closed_drawers_have_what_was_counted_beyond_what_should_be_there(drawers, other_owner):
    opened, closed = [await drawers.open_shift(name) for name in ("Bar", "Kiosk")]
    await drawers.close_shift(closed, counted=97.5)
    ids = [opened["id"], closed["id"]]

    (found,) = await list_counted_drawers(ids, [drawers.owner.id] * 2)

    assert (found.shift_id, found.store_id) == (closed["id"], drawers.id)
    assert found.difference_minor == -250
    assert await list_counted_drawers(ids, [other_owner.id] * 2) == []
