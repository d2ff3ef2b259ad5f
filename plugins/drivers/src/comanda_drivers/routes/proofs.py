"""Proof of delivery: codes and photos."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.routes import ANY_SCOPE, PUBLIC, Routes

from comanda_drivers import links, uploads
from comanda_drivers.schemas.proofs import PodCodeAnswer, PodCodeBody, PodPhoto, PodPhotoBody, PodPhotoQuery
from comanda_drivers.services import proving

routes = Routes("Driver", callers=("driver",))
photo_routes = Routes("Deliveries", callers=PUBLIC)

JPEG = "image/jpeg"


@routes.post("/driver/deliveries/{orderId}/pod-otp", scope=ANY_SCOPE, cors=True, status=200, answers=PodCodeAnswer)
async def prove_by_code(caller: Caller, order_id: int, body: PodCodeBody) -> dict[str, Any]:
    """Have a code of four digits sent to the customer, or send the ``code`` that they told; five tries."""
    if body.code is None:
        return await proving.send_code(caller, order_id)
    return await proving.verify_code(caller, order_id, body.code)


@routes.post(
    "/driver/deliveries/{orderId}/pod-photo",
    scope=ANY_SCOPE,
    cors=True,
    answers=PodPhoto,
    uploads=(uploads.FORM_DATA,),
    upload_part=uploads.PHOTO_PART,
    max_body_bytes=uploads.MAX_BODY_BYTES,
)
async def prove_by_photo(caller: Caller, order_id: int, call: Call, body: Unvalidated[PodPhotoBody]) -> dict[str, Any]:
    """Keep a photo: JPEG, PNG or WebP up to 8 MB, as the part ``photo`` of a form or as Base64 in JSON."""
    await proving.check_mine(caller, order_id)
    field, raw = await uploads.photo_of(call, body)
    return await proving.add_photo(caller, order_id, raw, field)


@photo_routes.get(links.PATH, cors=True, answers=bytes, content_types=(JPEG,))
async def show_photo(id: int, query: PodPhotoQuery) -> Answer:
    """Show a photo of a delivery to whoever has a link to it, which is good for a quarter of an hour."""
    jpeg = await proving.show_photo(id, query.expires, query.signature)
    return Answer(jpeg, content_type=JPEG, headers={"Cache-Control": "private, max-age=300"})
