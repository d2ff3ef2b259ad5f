"""What a tool-hire shop and a laundry do with the plugin of the example, without it, and with it again."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import asyncpg
from comanda.devkit.testing import count_rows, run_command, send_request


class Owner:
    """An owner of a tool-hire shop and a laundry, who uses a running server."""

    def __init__(self, installation):
        run_command(installation, "owner", "create", "otto@example.com")
        made = run_command(installation, "token", "create", "--owner", "otto@example.com", "--scope", "*", "--json")
        self.token, self.url = json.loads(made)["token"], ""
        self.shop, self.laundry = (self._open_store(installation, kind) for kind in ("tool_hire", "laundry"))

    def _open_store(self, installation, kind):
        of = ("--owner", "otto@example.com", "--title", f"{kind} of Otto", "--type", kind, "--json")
        return json.loads(run_command(installation, "store", "create", *of))["id"]

    def send(self, method, path, body=None, store=None):
        url = f"{self.url}/api/v1/restaurants/{store or self.shop}{path}"
        return send_request(method, url, self.token, body)

    def item(self, store, **fields):
        _, category = self.send("POST", "/menu/categories", {"name": "All"}, store)
        status, item = self.send("POST", "/menu/items", {"category_id": category["id"], **fields}, store)
        assert status == 201, item
        return item["id"]

    def hire(self, tool):
        today = datetime.now(UTC).date()
        days = {"hire_from": today.isoformat(), "hire_until": (today + timedelta(days=2)).isoformat()}
        return self.send("POST", "/orders", {"type": "day_hire", "items": [{"item_id": tool}], **days})


class RentalLife:
    """The steps of ``WheelEnvironment.check_reinstallation``."""

    def __init__(self, installation, database):
        self._installation, self._database = installation, database

    def use(self, server):
        owner = self._owner = Owner(self._installation)
        owner.url = server.url
        self._tool = owner.item(owner.shop, name="Drill", price=20, pieces=2)
        assert owner.send("PUT", "/settings/rental", {"deposit": 50})[0] == 200
        self._order = hire_and_return_late(owner, self._tool, self._database)
        self._open = owner.hire(self._tool)[1]
        tables = ["rental_booking", "rental_tool"]
        assert count_rows(self._database, tables) == {"rental_booking": 2, "rental_tool": 1}

    def miss(self, server):
        owner = self._owner
        owner.url = server.url
        status, order = owner.send("GET", f"/orders/{self._order['id']}")
        assert (status, order["total"], order["hire_from"]) == (200, self._order["total"], self._order["hire_from"])
        assert [each["code"] for each in order["charges"]] == ["deposit", "late_fee"]
        assert owner.hire(self._tool)[0] == 422
        assert owner.send("GET", "/rental/bookings")[0] == 404
        # The other store goes on, and so do the orders of this one.
        shirt = owner.item(owner.laundry, name="Shirt", price=3)
        placed = owner.send("POST", "/orders", {"type": "in_store", "items": [{"item_id": shirt}]}, owner.laundry)
        assert (placed[0], placed[1]["total"]) == (201, 3)
        assert owner.send("PUT", f"/orders/{self._order['id']}/status", {"status": "completed"})[0] == 200
        found = self._installation.run("doctor").stdout
        assert "1 store of the type tool_hire, whose plugin rental is not enabled" in found
        planned = run_command(self._installation, "plugins", "remove", "rental", "--purge", "--dry-run")
        assert "rental_booking" in planned
        assert planned.endswith("Nothing was deleted.\n")

    def resume(self, server):
        owner = self._owner
        owner.url = server.url
        status, settings = owner.send("GET", "/settings/rental")
        assert (status, settings["deposit"]) == (200, 50)
        _, order = owner.send("GET", f"/orders/{self._open['id']}")
        assert order["items"][0]["pieces"] == self._open["items"][0]["pieces"]
        assert owner.hire(self._tool)[0] == 201
        # Both pieces are out now.
        assert owner.hire(self._tool)[1]["reason"] == "not_enough_pieces"


def hire_and_return_late(owner, tool, database):
    """Hire a drill, and bring it back two days late, as far as its booking knows."""
    status, order = owner.hire(tool)
    assert (status, order["total"], order["items"][0]["price_label"]) == (201, 110, "3 days")
    asyncio.run(move_back(database))

    status, returned = owner.send("PUT", f"/rental/orders/{order['id']}/return", {})

    assert (status, returned["late_days"], returned["late_fee"], returned["amount_due"]) == (200, 2, 40, 150)
    return owner.send("GET", f"/orders/{order['id']}")[1]


async def move_back(database):
    connection = await asyncpg.connect(database)
    try:
        await connection.execute("UPDATE rental_booking SET first_day = first_day - 4, last_day = last_day - 4")
    finally:
        await connection.close()
