"""Photos of an item: uploaded, described, put in order and removed."""

from base64 import b64encode
from typing import Any, Final

from comanda.basics import ComandaError
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from quart import Response, request

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.menu.items import ITEM_PATH


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/photos", scope="menu:write")
async def upload_photos(visit: Visit, store_id: int, item_id: int) -> Response:
    """Add the photos that were sent to the end of the gallery."""
    to = f"/stores/{store_id}/menu/items/{item_id}#photos"
    files = await visit.read_files("photo")
    if not files:
        return visit.redirect(to, problem=_("Choose at least one photo."))
    for file in files:
        body = {"image_base64": b64encode(file.read()).decode()}
        try:
            await visit.api.post(f"{ITEM_PATH}/photos", body, id=store_id, itemId=item_id)
        except ComandaError as error:
            if error.status not in REFUSALS:
                raise
            return visit.redirect(to, problem=f"{file.filename}: {get_sentence(error)}")
    return visit.redirect(to, notice=_("Photos added."))


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/gallery", scope="menu:write")
async def update_gallery(visit: Visit, store_id: int, item_id: int) -> Response:
    """Save the descriptions and the order of the photos, and leave out those that were removed."""
    sent = await request.form
    item = await visit.api.get(ITEM_PATH, id=store_id, itemId=item_id)
    known = {get_key(picture): picture for picture in item["gallery"]}
    keys = [key for key in dict.fromkeys(sent.getlist("picture")) if key in known]
    alts = dict(zip(sent.getlist("picture"), sent.getlist("alt"), strict=False))
    ordered = move_key(keys, sent.get("move", ""))
    gallery = [_to_body(known[key], alts.get(key, "")) for key in ordered if key != sent.get("remove")]
    return await visit.act(
        "PUT", ITEM_PATH, body={"gallery": gallery}, to=f"/stores/{store_id}/menu/items/{item_id}#photos",
        notice=_("Photos saved."), id=store_id, itemId=item_id,
    )  # fmt: skip


def get_key(picture: dict[str, Any]) -> str:
    """Return what names a picture in the form: the id of an uploaded photo, or an address."""
    return str(picture.get("id") or picture["url"])


def move_key(keys: list[str], direction: str) -> list[str]:
    """Return keys with one of them moved by a place: ``up:7`` or ``down:https://…``."""
    way, _separator, key = direction.partition(":")
    moved = list(keys)
    if key in moved:
        at = moved.index(key)
        to = min(max(at + (STEPS.get(way, 0)), 0), len(moved) - 1)
        moved.insert(to, moved.pop(at))
    return moved


STEPS: Final = {"up": -1, "down": 1}


def _to_body(picture: dict[str, Any], alt: str) -> dict[str, Any]:
    source = {"id": picture["id"]} if picture.get("id") else {"url": picture["url"]}
    return {**source, "alt": alt.strip() or None}
