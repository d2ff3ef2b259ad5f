"""Demo data: what a newcomer finds in a fresh installation."""

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from tortoise.exceptions import IntegrityError

from comanda.accounts import services as accounts
from comanda.accounts.models import DemoThing
from comanda.accounts.services import IssuedToken
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.encryption import hmac_digest
from comanda.errors import ComandaError
from comanda.menu import services as menus
from comanda.menu import variants
from comanda.menu.schemas import CategoryBody, ItemBody, VariantBody
from comanda.stores import services as stores
from comanda.stores.models import Store
from comanda.stores.schemas import SettingsChange

log = structlog.get_logger(__name__)

PIN_LENGTH: Final = 6

Find = Callable[[], Awaitable[int | None]]


async def create_once(name: str, make: Callable[[], Awaitable[int]], find: Find | None = None) -> int | None:
    """Make a thing of the demo where no run has made it before, and return its id, or None where it cannot be made.

    The id stays known by ``name``, so that what people change of the thing or delete stays so. ``find`` returns the id
    of one that is there although it is not known, such as that of an earlier version's demo.
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
            # Somebody has its address, e-mail or number; a start must not fail for it.
            log.warning("demo_thing_not_made", thing=name, reason=str(error))
            return None
    await DemoThing.create(name=name, thing_id=thing_id)
    return thing_id


async def fill_once(name: str, furnish: Callable[[], Awaitable[object]], *, is_there: bool = False) -> None:
    """Add things to a store where no run has done so before, unless it has such things already."""

    async def make() -> int:
        if not is_there:
            await furnish()
        return 0

    await create_once(name, make)


async def list_demo_ids(prefix: str) -> list[int]:
    """Return the ids of the things whose names begin with a prefix."""
    things = await DemoThing.filter(name__startswith=prefix)
    return [thing.thing_id for thing in things]


async def demo_password(*parts: str) -> str:
    """Return a password of somebody in the demo: the same at each run, and another one in each installation."""
    text = base64.b32encode(await hmac_digest.hmac_digest("demo.password", *parts)).decode().lower()
    return "-".join((text[:5], text[5:10], text[10:15]))


async def demo_pin(*parts: str) -> str:
    """Return a PIN like ``demo_password``."""
    number = int.from_bytes(await hmac_digest.hmac_digest("demo.pin", *parts))
    return str(number)[-PIN_LENGTH:]


@dataclass(frozen=True, slots=True)
class DemoStore:
    """A store of the demo. ``settings`` are those of ``PUT /restaurants/{id}/settings``."""

    store_type: str
    title: str
    slug: str
    settings: Mapping[str, Any]
    currency: str = "EUR"
    timezone: str = "Europe/Lisbon"


@dataclass(slots=True)
class Showcase:
    """What the demo steps made so far, handed from one step to the next and printed at the end.

    ``owners`` maps a role (``owner``, ``other_owner``) to an owner's id; ``stores`` are ``{id, slug, store_type}``, and
    ``page``, a path, where a plugin shows them to the public; ``tokens`` and ``logins`` are what a person or a script
    needs to get in. ``kept`` are tokens of an earlier run by role, some of which may be revoked by now, or of another
    database.
    """

    owners: dict[str, int] = field(default_factory=dict)
    stores: list[dict[str, object]] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
    logins: dict[str, object] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)

    def caller(self, role: str = "owner") -> Caller:
        """Return the caller that services take, as an owner of the demo who may do everything."""
        return Caller("owner", 0, self.owners[role], None, None, frozenset({"*"}), None)

    async def open(self, store: DemoStore, furnish: Callable[[Caller, int], Awaitable[None]]) -> None:
        """Open a store of the demo's owner once and let ``furnish`` fill it; later it is as its owner left it."""
        caller = self.caller()

        async def make() -> int:
            place = {"currency": store.currency, "timezone": store.timezone, "slug": store.slug}
            store_id = await stores.create_store(caller.owner_id, store.title, store.store_type, **place)
            await stores.change_settings(caller, store_id, SettingsChange.model_validate(store.settings))
            await furnish(caller, store_id)
            return store_id

        async def find() -> int | None:
            found = await Store.get_or_none(owner_id=caller.owner_id, slug=store.slug)
            return found.id if found is not None else None

        store_id = await create_once(f"store:{caller.owner_id}:{store.slug}", make, find)
        there = await Store.get_or_none(owner_id=caller.owner_id, id=store_id) if store_id is not None else None
        if there is not None:
            self.stores.append({"id": there.id, "slug": there.slug, "store_type": there.store_type})

    async def token(self, role: str, owner_id: int, issue: Callable[[], Awaitable[IssuedToken]]) -> None:
        """Set the role's token: the one of an earlier run while it is valid, else what ``issue`` makes."""
        kept = self.kept.get(role)
        if kept is None or not await accounts.is_valid_token(kept, owner_id):
            kept = (await issue()).secret
        self.tokens[role] = kept


@dataclass(frozen=True, slots=True)
class DemoData:
    """One step of the demo. ``fill`` may run again at any time: it makes each thing once, with ``create_once``.

    All steps run in one transaction: a demo is there or it is not. With ``needs_stores`` a step comes after all those
    that open stores, whichever plugins bring them. ``list_people`` takes the id of the demo's owner and returns who of
    the people that the step made can get in now, such as ``manager marta@demo.example``; it only reads.
    """

    name: str
    fill: Callable[[Showcase], Awaitable[None]]
    needs_stores: bool = False
    list_people: Callable[[int], Awaitable[Sequence[str]]] | None = None


async def create_menu(caller: Caller, store_id: int, menu: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Add categories by name, each with its items in order.

    An item is the body of ``POST …/menu/items`` without its category and position; ``variants`` among its keys are
    bodies of ``POST …/variants``.
    """
    for position, (name, items) in enumerate(menu.items()):
        category = await menus.add_category(caller, store_id, CategoryBody(name=name, position=position))
        for place, item in enumerate(items):
            body = ItemBody.model_validate({**item, "category_id": category["id"], "position": place})
            made = await menus.add_item(caller, store_id, body)
            for number, variant in enumerate(item.get("variants", ())):
                version = VariantBody.model_validate({**variant, "position": number})
                await variants.create_variant(caller, store_id, made["id"], version)
