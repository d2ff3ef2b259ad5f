"""A developer of the demo with two listed apps, one of which the demo's owner has installed."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from comanda.accounts import IssuedToken, owner_login, services
from comanda.contracts import Caller, Showcase
from comanda.operations.demo_data import create_once, demo_password
from comanda.platform import runtime
from comanda_oauth import api as oauth

from comanda_marketplace.models import App, Billing, Category
from comanda_marketplace.schemas import AppBody
from comanda_marketplace.services.apps import app_rows, apps
from comanda_marketplace.services.billing import terms
from comanda_marketplace.services.listings import review

EMAIL: Final = "developer@demo.example"
LOYALTY: Final = AppBody(
    name="Loyalty Cards",
    category=Category.LOYALTY,
    scopes=["menu:read", "orders:read", "restaurant:read"],
    redirect_uris=["https://loyalty.demo.example/callback", "http://127.0.0.1:8765/callback"],
    billing=Billing.USAGE,
    price=Decimal("0.05"),
    tagline="Stamps for regulars, one for each order",
    description="Counts the orders of your guests and charges five cents for each stamp.",
    links={"website": "https://loyalty.demo.example/", "support": "https://loyalty.demo.example/help"},
)
TABLE_TALK: Final = AppBody(
    name="Table Talk",
    category=Category.MARKETING,
    scopes=["restaurant:read"],
    redirect_uris=["https://tabletalk.demo.example/callback"],
    embed_url="https://tabletalk.demo.example/comanda",
    tagline="What guests say about your tables",
    description="Collects what guests write about you, and shows it inside Comanda.",
    links={"website": "https://tabletalk.demo.example/"},
)


@dataclass(frozen=True, slots=True)
class DemoAppToken:
    """The access token of an app."""

    secret: str


async def create_demo_apps(showcase: Showcase) -> None:
    """Create the developer and both apps once, and install the one that charges by usage."""
    developer_id = await _create_developer(showcase)
    if developer_id is None:
        return
    caller = showcase.caller("developer")
    await _publish_once(caller, TABLE_TALK)
    app_id = await _publish_once(caller, LOYALTY)
    app = None if app_id is None else await app_rows.find_row(app_id)
    if app is not None:
        await _install(showcase, app)


async def _create_developer(showcase: Showcase) -> int | None:
    async def make() -> int:
        owner = await services.create_owner(EMAIL, "Demo Developer")
        await owner_login.set_owner_password(owner.id, await demo_password("developer", str(owner.id)))
        return int(owner.id)

    owner_id = await create_once("developer", make)
    if owner_id is None:
        return None
    showcase.owners["developer"] = owner_id
    kind = runtime.registry().caller_kinds["owner"]

    async def issue() -> IssuedToken:
        return await services.issue_owner_token(kind, owner_id, ["*"], name="demo")

    await showcase.token("developer", owner_id, issue)
    password = await demo_password("developer", str(owner_id))
    is_unchanged = await owner_login.is_owner_password(owner_id, password)
    showcase.logins["developer"] = {"email": EMAIL, "password": password if is_unchanged else None}
    return owner_id


async def _publish_once(caller: Caller, body: AppBody) -> int | None:
    async def make() -> int:
        app_id = (await apps.register_app(caller, body)).id
        await review.submit(caller, app_id)
        await review.approve(app_id)
        return app_id

    return await create_once(f"app:{body.name}", make)


async def _install(showcase: Showcase, app: App) -> None:
    owner_id = showcase.owners["owner"]

    async def install() -> int:
        installation = await oauth.install(owner_id, app.client_row_id, app.scopes, actor="demo")
        await terms.ensure_terms(installation)
        return installation.id

    await create_once(f"app_installation:{app.id}", install)
    # The owner may have uninstalled it since.
    installation = await oauth.find_active_installation(owner_id, app.client_row_id)
    if installation is None:
        return

    async def issue() -> DemoAppToken:
        return DemoAppToken(await oauth.issue_access_token(owner_id, installation.id))

    await showcase.token("app", owner_id, issue)
    showcase.details["app"] = {
        "id": app.id,
        "client_id": app.client_id,
        "client_secret": await oauth.client_signing_key(app.owner_id, app.client_row_id),
        "scopes": oauth.format_scopes(app.scopes).split(),
    }
