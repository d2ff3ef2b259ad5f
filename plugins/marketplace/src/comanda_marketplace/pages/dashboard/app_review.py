"""The review of apps in the dashboard: the queue, and what an administrator decides."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from comanda.basics import ComandaError
from comanda.contracts import PREFIX, Audience
from comanda.platform import runtime
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from quart import Response

from comanda_marketplace.models import AppStatus
from comanda_marketplace.pages.dashboard import dashboard
from comanda_marketplace.pages.dashboard.app_texts import (
    describe_category,
    describe_price,
    describe_scopes,
    describe_status,
    describe_trial,
    list_links,
    list_statuses,
)
from comanda_marketplace.records import App
from comanda_marketplace.services.apps import owner_contacts
from comanda_marketplace.services.listings import review

REVIEW: Final = "/administration/apps"
MAX_APPS: Final = 200
MAX_REASON_LENGTH: Final = 2000


@dashboard.get(REVIEW, scope=None, audience=Audience.ADMINISTRATOR)
async def list_reviews(visit: Visit) -> Response:
    """Show the apps, by default those that wait for a review."""
    status = visit.query("status").get("status", "")
    statuses = [AppStatus(status)] if status in set(AppStatus) else [AppStatus.SUBMITTED, AppStatus.IN_REVIEW]
    apps = [app for each in statuses for app in await review.list_apps(each, MAX_APPS)]
    return await visit.render(
        "marketplace/dashboard/reviews.html",
        apps=[_describe(app) for app in apps],
        filters=[
            (_("Waiting for a decision"), f"{PREFIX}{REVIEW}", status not in set(AppStatus)),
            *((label, f"{PREFIX}{REVIEW}?status={key}", status == key) for key, label in list_statuses()),
        ],
    )


@dashboard.get(f"{REVIEW}/<int:app_id>", scope=None, audience=Audience.ADMINISTRATOR)
async def show_review(visit: Visit, app_id: int) -> Response:
    """Show everything about an app that its review needs."""
    app = await review.get_app(app_id)
    features = [(code, _(each.label)) for code, each in runtime.registry().features.items() if not each.is_limit]
    return await visit.render(
        "marketplace/dashboard/review.html",
        app=app,
        shown=_describe(app),
        features=features,
        links=list_links(app.links),
        developer=await owner_contacts.get_contact(app.developer_id),
    )


@dashboard.post(f"{REVIEW}/<int:app_id>/start", scope=None, audience=Audience.ADMINISTRATOR)
async def start_review(visit: Visit, app_id: int) -> Response:
    """Take a submitted app into review."""
    return await _decide(visit, app_id, lambda: review.start_review(app_id), _("App is in review."))


@dashboard.post(f"{REVIEW}/<int:app_id>/approve", scope=None, audience=Audience.ADMINISTRATOR)
async def approve_app(visit: Visit, app_id: int) -> Response:
    """List an app, with the features that it may grant."""
    known = runtime.registry().features
    features = [code for code in await visit.read_texts() if code in known]
    return await _decide(visit, app_id, lambda: review.approve(app_id, features), _("App approved."))


@dashboard.post(f"{REVIEW}/<int:app_id>/reject", scope=None, audience=Audience.ADMINISTRATOR)
async def reject_app(visit: Visit, app_id: int) -> Response:
    """Reject an app, with a reason for its developer."""
    reason = (await visit.read_texts()).get("reason", "").strip()[:MAX_REASON_LENGTH]
    if not reason:
        return visit.redirect(f"{REVIEW}/{app_id}", problem=_("Write a reason for the developer."))
    return await _decide(visit, app_id, lambda: review.reject(app_id, reason), _("App rejected."))


@dashboard.post(f"{REVIEW}/<int:app_id>/delist", scope=None, audience=Audience.ADMINISTRATOR)
async def delist_app(visit: Visit, app_id: int) -> Response:
    """Take an app off the list."""
    return await _decide(visit, app_id, lambda: review.delist(app_id), _("App delisted."))


async def _decide(visit: Visit, app_id: int, decide: Callable[[], Awaitable[App]], notice: str) -> Response:
    to = f"{REVIEW}/{app_id}"
    try:
        await decide()
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        return visit.redirect(to, problem=get_sentence(error))
    return visit.redirect(to, notice=notice)


def _describe(app: App) -> dict[str, Any]:
    terms = {"billing": app.billing, "price": app.price, "currency": app.currency, "period_days": app.period_days}
    return {
        "id": app.id,
        "name": app.name,
        "status": describe_status(app.status),
        "category": describe_category(app.category),
        "price": describe_price(terms),
        "trial": describe_trial(app.billing, app.trial_days),
        "submitted_at": app.submitted_at,
        "scopes": describe_scopes(app.scopes),
    }
