"""Path parameters of the car-parts routes, for tests of every route."""

from comanda.contracts import API_PREFIX


async def fitment(workshop, store_id):
    await workshop.item(store_id, fitments=[{"make": "Fiat", "model": "Panda", "year_from": 2012}])
    path = f"{API_PREFIX}/restaurants/{store_id}/fitments"
    page = await (await workshop.client.get(path, headers=workshop.owner.auth)).get_json()
    return page["data"][0]["id"]


FACTORIES = {"/restaurants/{id}/fitments/{fitmentId}": fitment}
STORE_TYPES = {"/restaurants/{id}/fitments": "carparts"}
