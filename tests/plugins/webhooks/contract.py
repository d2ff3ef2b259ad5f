"""Path parameters and request bodies of the webhooks plugin's routes, for the tests of every route."""

from comanda.contracts import API_PREFIX

URL = "https://93.184.215.14/hook"


async def endpoint(workshop):
    return await workshop.post("/webhook-endpoints", {"url": URL, "events": ["*"]})


async def delivery(workshop, endpoint_id):
    path = f"{API_PREFIX}/webhook-endpoints/{endpoint_id}/test"
    return (await (await workshop.client.post(path, headers=workshop.owner.auth)).get_json())["id"]


FACTORIES = {"/webhook-endpoints/{id}": endpoint, "/webhook-endpoints/{id}/deliveries/{deliveryId}": delivery}
BODIES = {
    "EndpointBody": {"url": URL, "events": ["order.created", "order.status_changed"]},
    "EndpointChange": {"url": URL, "events": ["order.created"], "paused": False},
    "ReplayBody": {"since": "2020-01-01T00:00:00Z", "until": "2030-01-01T00:00:00Z", "status": "all"},
}
