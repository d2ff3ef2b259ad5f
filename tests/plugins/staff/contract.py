"""What stands in the paths and bodies of the staff plugin, for tests of every route."""

from itertools import count

_numbers = count(1)


def member_body(workshop, *_):
    number = next(_numbers)
    return {
        "name": "Stolen", "role": "manager", "email": f"stolen-{number}@example.com", "phone": "1",
        "password": "lemon tart at dawn", "pin": f"{70_000 + number}", "grants": ["kds"], "denials": ["orders"],
        "station_ids": [1], "is_active": False,
    }  # fmt: skip


async def member(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/staff", {**member_body(workshop), "is_active": True})


FACTORIES = {"/restaurants/{id}/staff/{staffId}": member}
BODIES = {"MemberBody": member_body, "MemberChange": member_body}
