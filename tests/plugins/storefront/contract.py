"""What stands in the paths and bodies of the storefront plugin's routes, for tests of every route."""

BODY = {"name": "Web shop", "scopes": ["menu:read", "order:write", "agent"]}


async def token(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/storefront-tokens", BODY)


FACTORIES = {"/restaurants/{id}/storefront-tokens/{tokenId}": token}
BODIES = {"StorefrontTokenBody": BODY}
