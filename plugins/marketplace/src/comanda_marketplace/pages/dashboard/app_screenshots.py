"""Screenshots of a developer's app: uploaded with a description, and deleted."""

from base64 import b64encode

from comanda.contracts import Audience
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_marketplace.pages.dashboard import dashboard
from comanda_marketplace.pages.dashboard.developer_apps import APP, WRITE


@dashboard.post("/developer/apps/<int:app_id>/screenshots", scope=WRITE, audience=Audience.DEVELOPER)
async def upload_screenshot(visit: Visit, app_id: int) -> Response:
    """Add the screenshot that was sent to the listing."""
    to = f"/developer/apps/{app_id}#screenshots"
    files = await visit.read_files("photo")
    if not files:
        return visit.redirect(to, problem=_("Choose a picture."))
    alt = (await visit.read_texts()).get("alt", "").strip()
    body = {"image_base64": b64encode(files[0].read()).decode(), "alt": alt}
    return await visit.act("POST", f"{APP}/screenshots", body=body, to=to, notice=_("Screenshot added."), appId=app_id)


@dashboard.post(
    "/developer/apps/<int:app_id>/screenshots/<int:screenshot_id>/delete", scope=WRITE, audience=Audience.DEVELOPER
)
async def delete_screenshot(visit: Visit, app_id: int, screenshot_id: int) -> Response:
    return await visit.act(
        "DELETE", f"{APP}/screenshots/{{screenshotId}}", to=f"/developer/apps/{app_id}#screenshots",
        notice=_("Screenshot deleted."), appId=app_id, screenshotId=screenshot_id,
    )  # fmt: skip
