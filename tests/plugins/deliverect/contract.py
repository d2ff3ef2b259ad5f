"""What stands in the paths and bodies of the routes of Deliverect, for the tests of all routes."""


async def owner_id(workshop):
    return workshop.owner.id


async def connection_id(*_):
    return 1


FACTORIES = {"/deliverect/{ownerId}": owner_id, "/deliverect/{ownerId}/{connectionId}": connection_id}
# Without a client nobody is asked at Deliverect.
BODIES = {"DeliverectConnectionBody": {"account_id": "a1", "location_id": "l1"}}
