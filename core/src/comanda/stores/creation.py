"""Creation of stores by their owners, and the types that they may have."""

from dataclasses import asdict
from typing import Final

from comanda.basics.errors import Forbidden, ValidationFailed
from comanda.contracts.requests.callers import Caller
from comanda.platform import runtime
from comanda.stores import services
from comanda.stores.records import StoreOverview, StoreType, get_vertical_summary
from comanda.stores.schemas import SettingsChange, StoreBody

# Several stores may have one title, such as those of a chain; their addresses are numbered.
MAX_SLUG_NUMBER: Final = 20


def list_store_types() -> list[StoreType]:
    """List the store types of the installed verticals by label."""
    found = [StoreType(store_type=code, **asdict(get_vertical_summary(code))) for code in runtime.registry().verticals]
    return sorted(found, key=lambda one: one.label)


async def create_store(caller: Caller, body: StoreBody) -> StoreOverview:
    """Create a store of the caller's owner and return it.

    Without a slug, one that is not in use is made from the title. Raises ``Forbidden`` for a token of one store, and
    ``ValidationFailed`` like ``services.create_store``.
    """
    if caller.store_id is not None:
        raise Forbidden("A token of one store cannot create stores.")
    store_id = await _insert_store(caller.owner_id, body)
    if body.country is not None:
        await services.update_settings(caller, store_id, SettingsChange(country=body.country))
    return await services.get_store(caller, store_id)


async def _insert_store(owner_id: int, body: StoreBody) -> int:
    base = body.slug or services.slugify(body.title)
    for number in range(1, MAX_SLUG_NUMBER + 1):
        slug = base if number == 1 else f"{base}-{number}"
        try:
            return await services.create_store(
                owner_id, body.title, body.store_type, currency=body.currency, timezone=body.timezone, slug=slug
            )
        except ValidationFailed as error:
            if body.slug is not None or "slug" not in error.errors or number == MAX_SLUG_NUMBER:
                raise
    raise AssertionError
