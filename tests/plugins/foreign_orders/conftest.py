"""A store with orders of a platform; HubRise is the one that these tests receive orders from."""

from tests.plugins.hubrise.conftest import hubrise, shop, soup_order, store

__all__ = ["hubrise", "shop", "soup_order", "store"]
