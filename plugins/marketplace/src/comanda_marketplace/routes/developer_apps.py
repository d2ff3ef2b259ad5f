"""Routes for developers to register apps and to have them reviewed."""

from comanda.contracts import Call, Caller, PageRequest, RecordPage, Routes, Unvalidated
from comanda.platform.photos import PHOTO_UPLOAD, parse_photo

from comanda_marketplace.records import App, AppTotals, IssuedApp, Picture, RotatedAppSecret
from comanda_marketplace.schemas import AppBody, AppChange, ScreenshotBody
from comanda_marketplace.services.apps import apps, totals
from comanda_marketplace.services.listings import review, screenshots

routes = Routes("App developers")

APPS = "/developer/apps"
APP = APPS + "/{appId}"


@routes.get(APPS, scope="apps:read")
async def list_apps(caller: Caller, page: PageRequest) -> RecordPage[App]:
    """List the apps that you have registered, newest first, 20 per page."""
    return await apps.list_apps(caller, page)


@routes.post(APPS, scope="apps:write")
async def register_app(caller: Caller, body: AppBody) -> IssuedApp:
    """Register an app. Its client secret and the signing secret of its webhooks are shown only in this response.

    It is a draft: you can install it in your own account to test it. Submit it to have it listed.
    """
    return await apps.register_app(caller, body)


@routes.get(APP, scope="apps:read")
async def get_app(caller: Caller, app_id: int) -> App:
    """Get one of your apps."""
    return await apps.get_app(caller, app_id)


@routes.patch(APP, scope="apps:write")
async def update_app(caller: Caller, app_id: int, body: AppChange) -> App:
    """Change an app. Texts, links and addresses are published at once.

    New scopes or a new price send a listed app back to review. Those who have installed it keep the old scopes and the
    old price until they consent anew.
    """
    return await apps.update_app(caller, app_id, body)


@routes.delete(APP, scope="apps:write")
async def delete_app(caller: Caller, app_id: int) -> None:
    """Delete an app that was never installed; one that was answers 409."""
    await apps.delete_app(caller, app_id)


@routes.post(APP + "/rotate-secret", scope="apps:write", status=200)
async def rotate_secret(caller: Caller, app_id: int) -> RotatedAppSecret:
    """Replace the client secret. For 24 hours the token endpoint takes the old one too."""
    return await apps.rotate_secret(caller, app_id)


@routes.post(APP + "/rotate-webhook-secret", scope="apps:write", status=200)
async def rotate_webhook_secret(caller: Caller, app_id: int) -> RotatedAppSecret:
    """Replace the signing secret of webhooks. For 24 hours deliveries are signed with the old one too."""
    return await apps.rotate_webhook_secret(caller, app_id)


@routes.post(APP + "/submit", scope="apps:write", status=200)
async def submit_app(caller: Caller, app_id: int) -> App:
    """Submit a draft, a rejected or a delisted app for review. Any other answers 409."""
    return await review.submit(caller, app_id)


@routes.post(APP + "/withdraw", scope="apps:write", status=200)
async def withdraw_app(caller: Caller, app_id: int) -> App:
    """Take an app back from review or from the list. It is a draft again; those who have installed it keep it."""
    return await review.withdraw(caller, app_id)


@routes.get(APP + "/stats", scope="apps:read")
async def get_app_stats(caller: Caller, app_id: int) -> AppTotals:
    """Count the installations of an app and what was charged for it, without naming anyone."""
    return await totals.get_totals(caller, app_id)


@routes.post(APP + "/screenshots", scope="apps:write", upload=PHOTO_UPLOAD)
async def upload_screenshot(caller: Caller, app_id: int, call: Call, body: Unvalidated[ScreenshotBody]) -> Picture:
    """Upload a screenshot: JPEG, PNG or WebP, as the part ``photo`` of a form or as Base64 in JSON, with ``alt``.

    An app can have 8. They are published at once.
    """
    await apps.get_app(caller, app_id)
    return await screenshots.add_screenshot(caller, app_id, await parse_photo(call, body))


@routes.delete(APP + "/screenshots/{screenshotId}", scope="apps:write")
async def delete_screenshot(caller: Caller, app_id: int, screenshot_id: int) -> None:
    """Delete a screenshot."""
    await screenshots.delete_screenshot(caller, app_id, screenshot_id)
