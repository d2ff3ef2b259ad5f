"""The plans of a reseller."""

from typing import Final

from comanda.basics import Conflict, Money, NotFound, ValidationFailed, clock, extend_record, require_found, to_minor
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_reseller import models
from comanda_reseller.models import Account, Interval, Subscription, SubscriptionStatus
from comanda_reseller.records.subscriptions import Plan
from comanda_reseller.schemas.plans import PlanBody, PlanChange, PlanLimits, PlanQuery
from comanda_reseller.services.resellers.accounts import require_account
from comanda_reseller.services.subscriptions import grants
from comanda_reseller.services.subscriptions.lifecycle import PlanTerms

MAX_PLANS: Final = 200
LOCK_ACCOUNT: Final = "SELECT id FROM reseller_account WHERE owner_id = $1 FOR UPDATE"


async def list_plans(caller: Caller, query: PlanQuery, page: PageRequest) -> RecordPage[Plan]:
    """List the plans of a reseller, newest first. Raises ``Forbidden`` unless the caller is one."""
    await require_account(caller)
    found = models.Plan.filter(owner_id=caller.owner_id)
    if query.active is not None:
        found = found.filter(is_active=query.active)
    rows = await found.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([to_plan(row) for row in rows], await page.get_total(rows, found.count))


async def get_plan(caller: Caller, plan_id: int) -> Plan:
    """Return a plan. Raises ``Forbidden`` unless the caller is a reseller, and ``NotFound``."""
    await require_account(caller)
    return to_plan(await _find_plan(caller, plan_id))


async def create_plan(caller: Caller, body: PlanBody) -> Plan:
    """Create a plan, in the currency of the reseller's account.

    Raises ``Forbidden`` unless the caller is a reseller, and ``ValidationFailed`` for a code that is in use, an unknown
    feature, or another currency; ``Conflict`` beyond the number of plans of a reseller.
    """
    account = await require_account(caller)
    price_minor = _to_price(body.price, body.currency or account.currency, account)
    _check_features(body.features)
    moment = clock.now()
    async with sql.transaction():
        # Plans are counted, and codes compared, by one request at a time.
        await sql.execute(LOCK_ACCOUNT, caller.owner_id)
        await _check_room(caller, body.code)
        plan = await models.Plan.create(
            owner_id=caller.owner_id,
            code=body.code,
            name=body.name,
            price_minor=price_minor,
            currency=account.currency,
            interval=body.interval,
            trial_days=body.trial_days,
            limits=body.limits.model_dump(),
            features=sorted(set(body.features)),
            is_active=body.active,
            created_at=moment,
            updated_at=moment,
        )
    return to_plan(plan)


async def update_plan(caller: Caller, plan_id: int, change: PlanChange) -> Plan:
    """Update a plan. A price holds from each subscription's next period, features and limits at once.

    Raises like ``create_plan``, and ``NotFound``.
    """
    account = await require_account(caller)
    changes = change.model_dump(exclude_unset=True)
    async with sql.transaction():
        plan = await models.Plan.filter(owner_id=caller.owner_id, id=plan_id).select_for_update(no_key=True).first()
        if plan is None:
            raise NotFound
        _apply_change(plan, change, account)
        plan.updated_at = clock.now()
        await plan.save()
        if {"features", "limits"} & changes.keys():
            await _update_grants(plan)
    return to_plan(plan)


def to_terms(plan: models.Plan) -> PlanTerms:
    """Return what decides on the periods of a plan's subscriptions."""
    return PlanTerms(plan.id, plan.price_minor, Interval(plan.interval))


def to_plan(plan: models.Plan) -> Plan:
    """Return the record of a plan."""
    return extend_record(
        Plan,
        plan,
        price=Money(plan.price_minor, plan.currency),
        interval=Interval(plan.interval),
        limits=PlanLimits(**{name: plan.limits.get(name) for name in grants.QUOTAS}),
        features=list(plan.features),
    )


async def find_active_plan(owner_id: int, code: str) -> models.Plan:
    """Return a plan that can be subscribed to. Raises ``ValidationFailed`` on ``plan_code``."""
    plan = await models.Plan.get_or_none(owner_id=owner_id, code=code)
    if plan is None:
        raise ValidationFailed(plan_code=[f"There is no plan {code}."])
    if not plan.is_active:
        raise ValidationFailed(plan_code=[f"The plan {code} is not offered any more."])
    return plan


async def _find_plan(caller: Caller, plan_id: int) -> models.Plan:
    return require_found(await models.Plan.get_or_none(owner_id=caller.owner_id, id=plan_id))


async def _check_room(caller: Caller, code: str) -> None:
    if await models.Plan.filter(owner_id=caller.owner_id, code=code).exists():
        raise ValidationFailed(code=[f"The code {code} is already in use."])
    if await models.Plan.filter(owner_id=caller.owner_id).count() >= MAX_PLANS:
        raise Conflict(f"A reseller can have at most {MAX_PLANS} plans.", extras={"limits": {"plans": MAX_PLANS}})


def _apply_change(plan: models.Plan, change: PlanChange, account: Account) -> None:
    if change.name is not None:
        plan.name = change.name
    if change.price is not None:
        plan.price_minor = _to_price(change.price, account.currency, account)
    if change.trial_days is not None:
        plan.trial_days = change.trial_days
    if change.features is not None:
        _check_features(change.features)
        plan.features = sorted(set(change.features))
    if change.limits is not None:
        plan.limits = {**plan.limits, **change.limits.model_dump(exclude_unset=True)}
    if change.active is not None:
        plan.is_active = change.active


def _to_price(price: float, currency: str, account: Account) -> int:
    if currency != account.currency:
        raise ValidationFailed(currency=[f"Must be {account.currency}, the currency of this reseller account."])
    try:
        return to_minor(price, currency)
    except ValueError as error:
        raise ValidationFailed(price=[str(error)]) from error


def _check_features(features: list[str]) -> None:
    offered = {name for name, feature in runtime.registry().features.items() if name not in grants.QUOTAS}
    unknown = [feature for feature in features if feature not in offered]
    if unknown:
        raise ValidationFailed(features=[f"There is no feature {unknown[0]}. Known are: {', '.join(sorted(offered))}."])


async def _update_grants(plan: models.Plan) -> None:
    # Subscriptions come before grants, as in every change of a subscription.
    running = Subscription.filter(owner_id=plan.owner_id, plan_id=plan.id).exclude(status=SubscriptionStatus.EXPIRED)
    for model in await running.select_for_update(no_key=True).order_by("id"):
        await grants.apply_plan(plan.owner_id, model.customer_owner_id, plan, SubscriptionStatus(model.status))
