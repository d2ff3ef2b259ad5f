"""Path parameters and request bodies of the routes of languages, for the tests of every route."""


async def language(workshop, store_id):
    return "de"


async def texts_body(workshop, store_id, *_):
    await workshop.category(store_id)
    return {"texts": [{"source": "Soups", "translation": "Gestohlen", "is_checked": False}]}


FACTORIES = {
    "/restaurants/{id}/menu/languages/{language}": language,
    "/menu/{restaurantId}/languages/{language}": language,
}
BODIES = {"MenuTextsBody": texts_body}
