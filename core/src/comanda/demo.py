"""Demo data: what a newcomer finds in a fresh installation."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from comanda.accounts import services as accounts
from comanda.accounts.kinds import Caller
from comanda.accounts.services import IssuedToken
from comanda.menu import services as menus
from comanda.menu import variants
from comanda.menu.schemas import CategoryBody, ItemBody, VariantBody
from comanda.stores import services as stores
from comanda.stores.models import Store
from comanda.stores.schemas import SettingsChange


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
        """Open a store of the demo's owner and let ``furnish`` fill it, or find it as its owner left it."""
        caller = self.caller()
        found = await Store.get_or_none(owner_id=caller.owner_id, slug=store.slug)
        if found is not None:
            store_id = found.id
        else:
            place = {"currency": store.currency, "timezone": store.timezone, "slug": store.slug}
            store_id = await stores.create_store(caller.owner_id, store.title, store.store_type, **place)
            await stores.change_settings(caller, store_id, SettingsChange.model_validate(store.settings))
            await furnish(caller, store_id)
        self.stores.append({"id": store_id, "slug": store.slug, "store_type": store.store_type})

    async def token(self, role: str, owner_id: int, issue: Callable[[], Awaitable[IssuedToken]]) -> None:
        """Set the role's token: the one of an earlier run while it is valid, else what ``issue`` makes."""
        kept = self.kept.get(role)
        if kept is None or not await accounts.is_live(kept, owner_id):
            kept = (await issue()).secret
        self.tokens[role] = kept


@dataclass(frozen=True, slots=True)
class DemoData:
    """One step of the demo. ``fill`` finds what it made before and completes it, so it may run again at any time.

    All steps run in one transaction: a demo is there or it is not. With ``needs_stores`` a step comes after all those
    that open stores, whichever plugins bring them. ``list_people`` takes the id of the demo's owner and returns who of
    the people that the step made can get in now, such as ``manager marta@demo.example``; it only reads.
    """

    name: str
    fill: Callable[[Showcase], Awaitable[None]]
    needs_stores: bool = False
    list_people: Callable[[int], Awaitable[Sequence[str]]] | None = None


async def fill_menu(caller: Caller, store_id: int, menu: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
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
                await variants.add(caller, store_id, made["id"], version)
