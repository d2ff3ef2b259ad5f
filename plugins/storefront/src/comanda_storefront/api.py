"""For other plugins by which guests order: published stores, and carts that are priced and placed like their pages'."""

from comanda_storefront.caller_kinds import to_guest_caller
from comanda_storefront.errors import CartConverted
from comanda_storefront.models import Cart
from comanda_storefront.records import CartMessage, CartPlacement, GuestDetails, Refused
from comanda_storefront.services.cart_messages import parse_line_position
from comanda_storefront.services.cart_placement import PlaceCart, place_cart
from comanda_storefront.services.cart_pricing import PricedCart, price_cart
from comanda_storefront.services.cart_store import CartContents, create_cart, get_cart, get_contents, update_cart
from comanda_storefront.services.carts import to_order_body
from comanda_storefront.services.channels import AGENT_CHANNEL
from comanda_storefront.services.links import build_cart_url, build_page_url, build_store_url, build_tracking_url
from comanda_storefront.services.page_channel import PAGE_CHANNEL
from comanda_storefront.services.published_stores import PublishedStore, get_published_store

__all__ = [
    "AGENT_CHANNEL",
    "PAGE_CHANNEL",
    "Cart",
    "CartContents",
    "CartConverted",
    "CartMessage",
    "CartPlacement",
    "GuestDetails",
    "PlaceCart",
    "PricedCart",
    "PublishedStore",
    "Refused",
    "build_cart_url",
    "build_page_url",
    "build_store_url",
    "build_tracking_url",
    "create_cart",
    "get_cart",
    "get_contents",
    "get_published_store",
    "parse_line_position",
    "place_cart",
    "price_cart",
    "to_guest_caller",
    "to_order_body",
    "update_cart",
]
