"""Proof of delivery: codes and photos."""

from comanda.contracts import ANY_SCOPE, PUBLIC, Answer, Call, Caller, IdempotencyKey, Routes, Unvalidated, key_header
from comanda.platform.photos import create_photo_upload, parse_upload

from comanda_drivers.records.deliveries import ProofPhoto
from comanda_drivers.schemas.proofs import PodCodeAnswer, PodCodeBody, PodPhotoBody, PodPhotoQuery
from comanda_drivers.services.deliveries import photo_links, proof_of_delivery
from comanda_drivers.services.deliveries.photo_links import MAX_BYTES

routes = Routes("Driver", callers=("driver",))
photo_routes = Routes("Deliveries", callers=PUBLIC)

JPEG = "image/jpeg"


@routes.post("/driver/deliveries/{orderId}/pod-otp", scope=ANY_SCOPE, cors=True, status=200)
async def verify_code(caller: Caller, order_id: int, body: PodCodeBody) -> PodCodeAnswer:
    """Send a four-digit code to the customer, or verify their ``code``; five attempts."""
    if body.code is None:
        await proof_of_delivery.send_code(caller, order_id)
        return PodCodeAnswer(sent=True, expires_in=proof_of_delivery.CODE_LIFETIME_SECONDS)
    await proof_of_delivery.verify_code(caller, order_id, body.code)
    return PodCodeAnswer(verified=True)


@routes.post(
    "/driver/deliveries/{orderId}/pod-photo",
    scope=ANY_SCOPE,
    cors=True,
    answers=ProofPhoto,
    upload=create_photo_upload(MAX_BYTES),
    headers=(key_header("photo"),),
)
async def upload_photo(caller: Caller, order_id: int, call: Call, body: Unvalidated[PodPhotoBody]) -> Answer:
    """Upload a photo: JPEG, PNG or WebP up to 8 MB, as the form part ``photo`` or as Base64 in JSON."""
    key = IdempotencyKey.of(call)
    await proof_of_delivery.check_photo_allowed(caller, order_id, key)
    photo = await parse_upload(call, body, MAX_BYTES)
    return (await proof_of_delivery.create_photo(caller, order_id, photo, key)).answer()


@photo_routes.get(photo_links.PHOTO_PATH, cors=True, answers=bytes, content_types=(JPEG,))
async def get_photo(id: int, query: PodPhotoQuery) -> Answer:
    """Return a photo of a delivery for a signed link, which is valid for about 15 minutes."""
    jpeg = await proof_of_delivery.get_photo(id, query.expires, query.signature)
    return Answer(jpeg, content_type=JPEG, headers={"Cache-Control": "private, max-age=300"})
