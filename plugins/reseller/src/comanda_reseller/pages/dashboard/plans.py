"""Plans of a reseller in the dashboard."""

from typing import Any, Final

from comanda.contracts import Audience
from comanda.platform import runtime
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_reseller.pages.dashboard import dashboard
from comanda_reseller.pages.dashboard.customers import READ, WRITE
from comanda_reseller.pages.dashboard.labels import list_intervals, list_limits

PLANS: Final = "/reseller/plans"
PLAN: Final = f"{PLANS}/{{id}}"


@dashboard.get("/reseller/plans", scope=READ, audience=Audience.RESELLER)
async def list_plans(visit: Visit) -> Response:
    plans = await visit.api.get(PLANS, query=visit.query("page"))
    return await visit.render("reseller/dashboard/plans.html", plans=plans, intervals=dict(list_intervals()))


@dashboard.get("/reseller/plans/new", scope=WRITE, audience=Audience.RESELLER)
async def show_new_plan(visit: Visit) -> Response:
    return await _render(visit, visit.form("POST", PLANS), None)


@dashboard.post("/reseller/plans/new", scope=WRITE, audience=Audience.RESELLER)
async def create_plan(visit: Visit) -> Response:
    form = await visit.read_form("POST", PLANS)
    if await form.submit() is None:
        return await _render(visit, form, None)
    return visit.redirect("/reseller/plans", notice=_("Plan created."))


@dashboard.get("/reseller/plans/<int:id>", scope=READ, audience=Audience.RESELLER)
async def show_plan(visit: Visit, id: int) -> Response:
    """Show a plan to change it."""
    plan = await visit.api.get(PLAN, id=id)
    return await _render(visit, visit.form("PUT", PLAN, plan), plan)


@dashboard.post("/reseller/plans/<int:id>", scope=WRITE, audience=Audience.RESELLER)
async def update_plan(visit: Visit, id: int) -> Response:
    form = await visit.read_form("PUT", PLAN, id=id)
    if await form.submit() is None:
        return await _render(visit, form, await visit.api.get(PLAN, id=id))
    return visit.redirect("/reseller/plans", notice=_("Plan saved."))


async def _render(visit: Visit, form: Form, plan: dict[str, Any] | None) -> Response:
    return await visit.render(
        "reseller/dashboard/plan.html",
        form=form,
        plan=plan,
        intervals=list_intervals(),
        limits=list_limits(),
        features=_list_features(form),
    )


def _list_features(form: Form) -> list[tuple[str, str]]:
    """List the features that are switched on and off, with their labels, and those that the plan has."""
    known = {code: _(feature.label) for code, feature in runtime.registry().features.items() if not feature.is_limit}
    chosen = form.get_value("features") or []
    return [*known.items(), *((name, name) for name in chosen if name not in known)]
