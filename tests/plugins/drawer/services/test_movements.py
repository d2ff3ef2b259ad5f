"""Movements by hand."""

INVALID_MOVEMENTS = [
    ({"kind": "paid_in"}, "amount"),
    ({"kind": "paid_out", "amount": 0}, "amount"),
    ({"kind": "paid_out", "amount": -5}, "amount"),
    ({"kind": "paid_in", "amount": 0.001}, "amount"),
    ({"kind": "no_sale", "amount": 1}, "amount"),
    ({"kind": "opening", "amount": 1}, "kind"),
    ({"kind": "payment", "amount": 1}, "kind"),
    ({"kind": "paid_in", "amount": 1, "note": "x" * 501}, "note"),
]


async def test_invalid_movement_is_refused(drawers, subtests):
    shift = await drawers.open_shift()
    before = await drawers.list_rows()

    for fields, refused in INVALID_MOVEMENTS:
        with subtests.test(fields=fields, refused=refused):
            reply = await drawers.send("POST", f"/shifts/{shift['id']}/movements", fields)

            assert set(reply.errors) == {refused}
            assert await drawers.list_rows() == before
