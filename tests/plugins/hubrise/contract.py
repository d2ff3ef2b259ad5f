"""What stands in the paths and bodies of the routes of HubRise, for the tests of all routes."""


async def owner_id(workshop):
    return workshop.owner.id


async def connection_id(*_):
    return 1


CALLBACK = "/hubrise/{ownerId}/{connectionId}"
FACTORIES = {"/hubrise/{ownerId}": owner_id, CALLBACK: connection_id}
# Without a token nobody is asked at HubRise.
BODIES = {"HubRiseConnectionBody": {"client_secret": "stolen-secret"}}
