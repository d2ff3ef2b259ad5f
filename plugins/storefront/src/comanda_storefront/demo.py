"""A storefront token for every demo store."""

from comanda.accounts import IssuedToken
from comanda.accounts import services as accounts
from comanda.contracts import Showcase
from comanda.stores import Store, find_store_of_owners

from comanda_storefront.caller_kinds import SCOPES, STOREFRONT


async def create_demo_tokens(showcase: Showcase) -> None:
    """Create a token for every demo store, ``storefront`` for the first one, and show the stores' pages."""
    for record in showcase.stores:
        record["page"] = f"/s/{record['slug']}"
    shown = [int(str(store["id"])) for store in showcase.stores]
    for position, store_id in enumerate(shown):
        store = await find_store_of_owners(showcase.owners.values(), store_id)
        if store is not None:
            role = STOREFRONT.code if position == 0 else f"{STOREFRONT.code}_{store.slug.replace('-', '_')}"
            await _create_token(showcase, role, store)


async def _create_token(showcase: Showcase, role: str, store: Store) -> None:
    async def issue() -> IssuedToken:
        return await accounts.issue_token(STOREFRONT, store.owner_id, SCOPES, name="demo", store_id=store.id)

    kept = showcase.kept.get(role)
    if kept is not None and not await accounts.is_token_of(kept, store.owner_id, store.id):
        # Another store has come first since the earlier run; its token is valid but belongs to another store.
        showcase.tokens[role] = (await issue()).secret
        return
    await showcase.token(role, store.owner_id, issue)
