"""The demo's reseller, with plans and three customers: one pays, one tries, and one is behind with its payment."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from comanda.accounts import IssuedToken, create_owner, issue_owner_token, owner_login
from comanda.basics import NotFound, clock
from comanda.contracts import Caller, Showcase
from comanda.operations.demo_data import create_once, demo_password, list_demo_ids
from comanda.platform import runtime
from comanda_wallet import api as wallet

from comanda_reseller.models import Customer, Interval, Plan
from comanda_reseller.schemas.plans import PlanBody, PlanLimits
from comanda_reseller.services.resellers import account_administration
from comanda_reseller.services.subscriptions import plans
from comanda_reseller.services.subscriptions.renewals import catch_up
from comanda_reseller.services.subscriptions.subscriptions import begin_subscription

ROLE: Final = "reseller"
EMAIL: Final = "reseller@demo.example"
NAME: Final = "Norte Digital"
PLANS: Final = (
    PlanBody(
        code="starter",
        name="Starter",
        price=19,
        trial_days=14,
        limits=PlanLimits(stores=1, items=100, staff=5, orders_per_month=500),
        features=[],
    ),
    PlanBody(code="pro", name="Pro", price=49, limits=PlanLimits(stores=5), features=["webhooks", "crm_suite"]),
    PlanBody(code="pro-yearly", name="Pro, yearly", price=490, interval=Interval.YEAR, features=["webhooks"]),
)


@dataclass(frozen=True, slots=True)
class DemoCustomer:
    """A customer of the demo, subscribed ``days_ago`` with that much in its wallet."""

    email: str
    name: str
    plan_code: str
    days_ago: int
    funds_minor: int


# The last one's wallet covered the first month and not the second.
CUSTOMERS: Final = (
    DemoCustomer("rosa@demo.example", "Tasca da Rosa", "pro", 40, 250_00),
    DemoCustomer("luis@demo.example", "Padaria Luís", "starter", 4, 0),
    DemoCustomer("ines@demo.example", "Cantina Inês", "pro", 36, 60_00),
)


async def create_demo_reseller(showcase: Showcase) -> None:
    """Create the reseller, its plans and its customers once, and show its token and password."""
    owner_id = await create_once("reseller:owner", _create_reseller)
    if owner_id is None:
        return
    showcase.owners[ROLE] = owner_id
    kind = runtime.registry().caller_kinds["owner"]

    async def issue() -> IssuedToken:
        return await issue_owner_token(kind, owner_id, ["*"], name="demo")

    await showcase.token(ROLE, owner_id, issue)
    password = await demo_password("owner", str(owner_id))
    is_unchanged = await owner_login.is_owner_password(owner_id, password)
    showcase.logins[ROLE] = {"email": EMAIL, "password": password if is_unchanged else None}
    await _create_plans(showcase.caller(ROLE))
    for customer in CUSTOMERS:
        await _create_customer_once(customer)


async def list_logins(_: int) -> list[str]:
    """List the reseller, if the password of the demo is still its own."""
    ids = await list_demo_ids("reseller:owner")
    is_unchanged = bool(ids) and await owner_login.is_owner_password(ids[0], await demo_password("owner", str(ids[0])))
    return [f"reseller {EMAIL} by password"] if is_unchanged else []


async def _create_reseller() -> int:
    owner = await create_owner(EMAIL, NAME)
    await account_administration.create_reseller(owner.id)
    await owner_login.set_owner_password(owner.id, await demo_password("owner", str(owner.id)))
    return int(owner.id)


async def _create_plans(caller: Caller) -> None:
    known = runtime.registry().features
    for body in PLANS:
        # A plugin that brings a feature may not be installed.
        offered = body.model_copy(update={"features": [name for name in body.features if name in known]})

        async def make(plan: PlanBody = offered) -> int:
            return (await plans.create_plan(caller, plan)).id

        await create_once(f"reseller:plan:{body.code}", make)


async def _create_customer_once(new: DemoCustomer) -> None:
    async def make() -> int:
        owner = await create_owner(new.email, new.name)
        customer = await account_administration.add_customer(EMAIL, new.email)
        if new.funds_minor:
            await wallet.top_up(owner.id, new.funds_minor, "demo", "Top-up of the demo", "demo")
        await _subscribe(customer, new)
        return int(owner.id)

    await create_once(f"reseller:customer:{new.email}", make)


async def _subscribe(customer: Customer, new: DemoCustomer) -> None:
    plan = await Plan.get_or_none(owner_id=customer.owner_id, code=new.plan_code)
    if plan is None:
        raise NotFound(f"The demo has no plan {new.plan_code}.")
    now = clock.now()
    subscription_id = await begin_subscription(customer, plan, plan.trial_days, now - timedelta(days=new.days_ago))
    await catch_up(customer.owner_id, subscription_id, now)
