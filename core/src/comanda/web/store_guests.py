"""Guests at pages of a store: the store by its address, and who calls.

Templates of such pages extend ``comanda/store_guest.html`` and get the store as ``store``. A form in them with the
attribute ``data-guest-form`` is sent as JSON to its action, with a ``client_uuid`` that stays the same when it is sent
again; the answer's ``url`` is where it leads.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics.errors import Conflict, NotFound, ValidationFailed
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Call
from comanda.contracts.stores.verticals import Vertical
from comanda.platform.db import sql
from comanda.stores.records import find_vertical, may_be_slug, to_picture_url
from comanda.web.languages.translations import gettext
from comanda.web.sign_in.customer_sessions import check_page_call, find_customer_session

GUEST_KIND: Final = "guest"
# Of the logo beside the name of a store.
LOGO_WIDTH: Final = 320
# Guests often share one IP address.
CALLS_PER_MINUTE: Final = 30
SELECT_STORES: Final = """
    SELECT s.id, s.owner_id, s.title, s.slug, s.store_type, s.country, s.phone, s.address, s.currency, s.timezone,
           s.is_published, s.menu_version, s.stock_version, s.logo_hash
    FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
"""
SELECT_PUBLIC_STORE: Final = f"{SELECT_STORES} WHERE s.slug = $1 AND s.is_published AND NOT o.is_suspended"
SELECT_STORE: Final = f"{SELECT_STORES} WHERE s.id = $1 AND s.owner_id = $2 AND NOT o.is_suspended"


@dataclass(frozen=True, slots=True)
class GuestStore:
    """A store as its guests know it. ``is_published`` is whether it has a page; the versions are those of its menu."""

    id: int
    owner_id: int
    title: str
    slug: str
    country: str | None
    phone: str | None
    address: str | None
    currency: str
    zone: ZoneInfo
    vertical: Vertical | None
    is_published: bool
    menu_version: int
    stock_version: int | None
    logo_url: str | None

    def has(self, *capabilities: str) -> bool:
        """Return whether the type of the store has all of these capabilities."""
        return self.vertical is not None and set(capabilities) <= set(self.vertical.capabilities)

    @property
    def guest(self) -> Caller:
        """The caller that stands for all guests of the store."""
        return Caller(GUEST_KIND, 0, self.owner_id, self.id, None, frozenset(), None)


async def get_public_store(slug: str) -> GuestStore:
    """Return a store by its slug. Raises ``NotFound`` for one that is unknown, unpublished or suspended."""
    return _to_store(await sql.fetch_one(SELECT_PUBLIC_STORE, slug) if may_be_slug(slug) else None)


async def get_store(owner_id: int, store_id: int) -> GuestStore:
    """Return a store of an owner for guests who have business with it, published or not. Raises ``NotFound``."""
    return _to_store(await sql.fetch_one(SELECT_STORE, store_id, owner_id))


async def find_guest(call: Call, store: GuestStore) -> Caller:
    """Return the customer of the store who is signed in in this browser, or the caller that stands for all guests."""
    session = await find_customer_session(call, store.owner_id, store.id)
    return store.guest if session is None else session.caller


async def check_guest_call(call: Call, subject: str) -> None:
    """Check that a page of this host sent a call that changes something, and count it among those of its network.

    ``subject`` begins the name of the count. Raises ``Forbidden``, ``UnsupportedMediaType``, ``LimitExceeded``.
    """
    check_page_call(call)
    await call.count(f"{subject}:{call.client_network}", CALLS_PER_MINUTE)


@contextmanager
def translate_refusals(sentences: Mapping[str, str]) -> Iterator[None]:
    """Replace sentences of refusals by ones for guests: ``sentences`` by reason, marked for translation.

    Raises ``Conflict`` with the same reason. Refusals for other reasons stay as they are.
    """
    try:
        yield
    except (Conflict, ValidationFailed) as error:
        reason = error.extras.get("reason")
        if not isinstance(reason, str) or reason not in sentences:
            raise
        raise Conflict(gettext(sentences[reason]), extras={"reason": reason}) from error


def _to_store(row: sql.Row | None) -> GuestStore:
    if row is None:
        raise NotFound
    return sql.to_record(
        GuestStore,
        row,
        zone=ZoneInfo(row["timezone"]),
        vertical=find_vertical(row["store_type"]),
        logo_url=to_picture_url(row["id"], row["logo_hash"], LOGO_WIDTH),
    )
