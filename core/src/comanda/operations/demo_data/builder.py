"""Builder of the demo data of a fresh installation."""

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from tortoise.exceptions import IntegrityError

from comanda.accounts import services as accounts
from comanda.accounts.models import DemoThing
from comanda.basics.errors import ComandaError
from comanda.contracts.demo import DemoStore, DemoToken
from comanda.contracts.requests.callers import Caller
from comanda.contracts.stores.menu_items import Item
from comanda.menu import services as menus
from comanda.menu.changes import variants
from comanda.menu.schemas import CategoryBody, ItemBody, VariantBody
from comanda.operations.demo_data.photos import DemoPhotos
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest
from comanda.stores import services as stores
from comanda.stores.models import Store
from comanda.stores.schemas import SettingsChange

log = structlog.get_logger(__name__)

PIN_LENGTH: Final = 6
# The source of the past orders that a demo begins with.
HISTORY_SOURCE: Final = "demo"

Find = Callable[[], Awaitable[int | None]]


async def create_once(name: str, make: Callable[[], Awaitable[int]], find: Find | None = None) -> int | None:
    """Create a demo record unless an earlier run has, and return its id, or None if it cannot be created.

    The id is stored under ``name``, so later changes or deletions by users stay. ``find`` returns the id of a record
    that exists without being known, such as that of an earlier version's demo.
    """
    known = await DemoThing.get_or_none(name=name)
    if known is not None:
        return int(known.thing_id)
    thing_id = await find() if find is not None else None
    if thing_id is None:
        try:
            async with sql.transaction():
                thing_id = await make()
        except (ComandaError, IntegrityError) as error:
            # Its slug, e-mail or number is in use; startup must not fail because of that.
            log.warning("demo_thing_not_made", thing=name, reason=str(error))
            return None
    await DemoThing.create(name=name, thing_id=thing_id)
    return thing_id


async def fill_once(name: str, furnish: Callable[[], Awaitable[object]], *, is_there: bool = False) -> None:
    """Add demo records to a store unless an earlier run has, or the store already has some."""

    async def make() -> int:
        if not is_there:
            await furnish()
        return 0

    await create_once(name, make)


async def list_demo_ids(prefix: str) -> list[int]:
    """Return the ids of the demo records whose names begin with a prefix."""
    rows = await DemoThing.filter(name__startswith=prefix)
    return [row.thing_id for row in rows]


async def demo_password(*parts: str) -> str:
    """Return a demo password: the same on each run, different in each installation."""
    text = base64.b32encode(await hmac_digest.hmac_digest("demo.password", *parts)).decode().lower()
    return "-".join((text[:5], text[5:10], text[10:15]))


async def demo_pin(*parts: str) -> str:
    """Return a demo PIN, derived like ``demo_password``."""
    number = int.from_bytes(await hmac_digest.hmac_digest("demo.pin", *parts))
    return str(number)[-PIN_LENGTH:]


@dataclass(slots=True)
class DemoBuilder:
    """The showcase that the demo steps fill; see ``comanda.contracts.demo.Showcase``."""

    owners: dict[str, int] = field(default_factory=dict)
    stores: list[dict[str, object]] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
    logins: dict[str, object] = field(default_factory=dict)
    details: dict[str, object] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)

    def caller(self, role: str = "owner") -> Caller:
        """Return a caller with all scopes for an owner of the demo."""
        return Caller("owner", 0, self.owners[role], None, None, frozenset({"*"}), None)

    async def open(self, store: DemoStore, furnish: Callable[[Caller, int], Awaitable[None]]) -> None:
        """Create a demo store once and fill it with ``furnish``; later runs leave it as it is."""
        caller = self.caller()

        async def make() -> int:
            options = {"currency": store.currency, "timezone": store.timezone, "slug": store.slug}
            store_id = await stores.create_store(caller.owner_id, store.title, store.store_type, **options)
            await stores.update_settings(caller, store_id, SettingsChange.model_validate(store.settings))
            await furnish(caller, store_id)
            return store_id

        async def find() -> int | None:
            found = await Store.get_or_none(owner_id=caller.owner_id, slug=store.slug)
            return found.id if found is not None else None

        store_id = await create_once(f"store:{caller.owner_id}:{store.slug}", make, find)
        row = await Store.get_or_none(owner_id=caller.owner_id, id=store_id) if store_id is not None else None
        if row is not None:
            self.stores.append({"id": row.id, "slug": row.slug, "store_type": row.store_type})

    async def token(self, role: str, owner_id: int, issue: Callable[[], Awaitable[DemoToken]]) -> None:
        """Set a role's token: the one of an earlier run while it is valid, otherwise a new one from ``issue``."""
        kept = self.kept.get(role)
        if kept is None or not await accounts.is_valid_token(kept, owner_id):
            kept = (await issue()).secret
        self.tokens[role] = kept


async def create_menu(
    caller: Caller,
    store_id: int,
    menu: Mapping[str, Sequence[Mapping[str, Any]]],
    photos: DemoPhotos | None = None,
    *,
    first_position: int = 0,
) -> Mapping[str, Item]:
    """Create categories by name, each with its items in order, and their ``photos``; return the items by name.

    An item is the body of ``POST …/menu/items`` without category and position; its key ``variants`` holds bodies of
    ``POST …/variants``.
    """
    found: dict[str, Item] = {}
    for position, (name, items) in enumerate(menu.items(), first_position):
        category = await menus.create_category(caller, store_id, CategoryBody(name=name, position=position))
        for place, item in enumerate(items):
            gallery = await photos.create_gallery(caller, item) if photos is not None else []
            fields = {"category_id": category.id, "position": place, "gallery": gallery}
            body = ItemBody.model_validate({**item, **fields})
            created = await menus.create_item(caller, store_id, body)
            found[created.item.name] = created.item
            for number, variant in enumerate(item.get("variants", ())):
                version = VariantBody.model_validate({**variant, "position": number})
                await variants.create_variant(caller, store_id, created.item.id, version)
    return found
