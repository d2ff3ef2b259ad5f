"""Path parameters and bodies of the routes of domains, for the tests of all routes."""

from itertools import count

_numbers = count(1)


async def create_host(workshop, store_id):
    body = {"name": f"host-{next(_numbers)}-{workshop.owner.id}.example"}
    return await workshop.post(f"/restaurants/{store_id}/hosts", body)


FACTORIES = {"/restaurants/{id}/hosts/{hostId}": create_host}
BODIES = {"HostBody": {"name": "stolen.example"}, "HostChange": {"redirects": True}}
