"""Public photo files. They are outside the API, so that a page with many photos does not use up its rate limits."""

from typing import Final

from comanda.contracts.requests.calls import Answer, Call
from comanda.contracts.requests.routes import PUBLIC, Routes
from comanda.platform.http.answers import matches_etag
from comanda.platform.photos import services, urls

WEBP: Final = "image/webp"
HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
}

routes = Routes("Photos", callers=PUBLIC, prefix=urls.PREFIX, is_documented=False)


@routes.get("/{restaurantId}/{name}", cors=True, answers=bytes, content_types=(WEBP,))
async def get_photo(call: Call, restaurant_id: int, name: str) -> Answer:
    """Return one size of a photo. The content of an address never changes, so it can be cached for a year."""
    found = await services.find_public_file(restaurant_id, name)
    headers = {**HEADERS, "ETag": f'"{found.name.removesuffix(".webp")}"'}
    if matches_etag(headers["ETag"], call.headers.get("if-none-match", "")):
        return Answer(status=304, headers=headers)
    return Answer(await services.read_file(found.owner_id, found.name), content_type=WEBP, headers=headers)
