"""A restaurant that delivers, its owner, and the drivers who bring its orders."""

import pytest
from comanda.db import sql
from comanda.devkit.testing.client import CheckedClient
from comanda.devkit.testing.stores import Reply, TestStore, line

API = "/api/v1"
OURS = {"order.driver_assigned", "order.out_for_delivery", "order.delivered", "order.delivery_failed"}


class Rider:
    """A driver with a token."""

    def __init__(self, client: CheckedClient, record):
        self.client = client
        self.record = record
        self.id = record["id"]
        self.phone = record["phone"]
        self.token = record["token"]

    async def send(self, method, path, body=None):
        """Call one of the driver's own operations; the path is below ``/driver``."""
        options = {} if body is None else {"json": body}
        headers = {"Authorization": f"Bearer {self.token}"}
        response = await self.client.open(f"{API}/driver{path}", method=method, headers=headers, **options)
        is_json = response.content_type == "application/json" and await response.get_data()
        return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))

    async def get(self, path):
        reply = await self.send("GET", path)
        assert reply.status == 200, reply
        return reply.document

    async def ids(self, path="/deliveries"):
        return [each["id"] for each in (await self.get(path))["data"]]

    async def claim(self, order_id):
        return await self.send("POST", f"/deliveries/{order_id}/claim")

    async def set(self, order_id, status, **fields):
        return await self.send("PUT", f"/deliveries/{order_id}/status", {"delivery_status": status, **fields})

    async def at(self, lat, lng, **fields):
        return await self.send("PUT", "/location", {"lat": lat, "lng": lng, **fields})


class Kitchen(TestStore):
    """A restaurant whose orders are delivered."""

    pizza: dict

    async def set_up(self):
        self.pizza = await self.item("Pizza", 10)
        return self

    async def delivery(self, pizzas=1, **fields):
        """Place an order for delivery and return it."""
        given = {"type": "delivery", "address": "Rua da Prata 8", "customer_name": "Ada Lovelace", **fields}
        return await self.order(line(self.pizza, pizzas), **{"phone": "+351912345678", **given})

    async def rider(self, name="Rui Costa", phone="+351961234567", **fields):
        """Add a driver of the owner's."""
        reply = await self.send_to(f"{API}/drivers", "POST", {"name": name, "phone": phone, **fields})
        assert reply.status == 201, reply
        return Rider(self.client, reply.document)

    async def assign(self, order, rider_id, **fields):
        return await self.send("POST", f"/orders/{order['id']}/assign", {"driver_id": rider_id, **fields})

    async def override(self, order, status, **fields):
        return await self.send("PUT", f"/orders/{order['id']}/delivery-status", {"delivery_status": status, **fields})

    async def shown(self, order):
        return (await self.get(f"/orders/{order['id']}")).document

    async def terms(self, **fields):
        return await self.send("PUT", "/delivery-terms", fields)

    async def assigned(self, rider):
        """Place an order that the driver has."""
        order = await self.delivery()
        assert (await self.assign(order, rider.id)).status == 200
        return order


@pytest.fixture
async def kitchen(client, owner):
    return await Kitchen(client, owner, await owner.store()).set_up()


@pytest.fixture
async def foreign(client, other_owner):
    """Another owner's restaurant."""
    return await Kitchen(client, other_owner, await other_owner.store()).set_up()


@pytest.fixture
async def rider(kitchen):
    return await kitchen.rider()


@pytest.fixture
def announced(published):
    """List the names of what was announced of deliveries."""

    async def names():
        return [name for name, _ in await published() if name in OURS]

    return names


@pytest.fixture
def rows(owner):
    """Dump what the owner's deliveries are, to see that nothing changed."""

    async def read():
        found = []
        for table in ("core_order", "core_order_change", "drivers_assignment", "core_outbox"):
            statement = f"SELECT to_jsonb(t)::text AS row FROM {table} t WHERE owner_id = $1 ORDER BY id"
            found += [row["row"] for row in await sql.fetch(statement, owner.id)]
        return found

    return read
