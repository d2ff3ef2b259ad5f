"""A storefront token for every demo store."""

from collections.abc import Iterable

from comanda.accounts import services as accounts
from comanda.accounts import tokens
from comanda.accounts.models import AccessToken
from comanda.accounts.services import IssuedToken
from comanda.contracts.demo import Showcase
from comanda.stores.models import Store

from comanda_storefront.kinds import SCOPES, STOREFRONT


async def fill(showcase: Showcase) -> None:
    """Show the stores' pages, and find or make their tokens: ``storefront`` is that of the first store."""
    for shop in showcase.stores:
        shop["page"] = f"/s/{shop['slug']}"
    shown = [int(str(store["id"])) for store in showcase.stores]
    found = {store.id: store for store in await _stores(shown, showcase.owners.values())}
    for place, store_id in enumerate(shown):
        if store_id in found:
            store = found[store_id]
            role = STOREFRONT.code if place == 0 else f"{STOREFRONT.code}_{store.slug.replace('-', '_')}"
            await _token(showcase, role, store)


async def _stores(ids: list[int], owner_ids: Iterable[int]) -> list[Store]:
    return await Store.filter(id__in=ids, owner_id__in=list(owner_ids))


async def _token(showcase: Showcase, role: str, store: Store) -> None:
    async def issue() -> IssuedToken:
        return await accounts.issue_token(STOREFRONT, store.owner_id, SCOPES, name="demo", store_id=store.id)

    kept = showcase.kept.get(role)
    if kept is not None and not await AccessToken.exists(token_hash=tokens.hash_token(kept), store_id=store.id):
        # Another store comes first since the earlier run, whose token is good but does not reach this one.
        showcase.tokens[role] = (await issue()).secret
        return
    await showcase.token(role, store.owner_id, issue)
