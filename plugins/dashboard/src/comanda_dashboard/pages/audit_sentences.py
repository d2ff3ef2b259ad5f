"""Sentences for the actions of the audit log."""

import re
from collections.abc import Mapping
from typing import Final

from comanda import runtime
from comanda.contracts.routes import Route
from comanda.web.translations import N_
from comanda.web.translations import gettext as _

# The changes that owners look for. Others are described by the summary of their route.
SENTENCES: Final = {
    "post_restaurants": N_("Created a store"),
    "put_restaurants_id_settings": N_("Changed the settings of the store"),
    "put_restaurants_id_intake_status": N_("Changed whether the store takes orders"),
    "account/sign_in": N_("Signed in"),
    "account/suspend": N_("Account suspended"),
    "account/unsuspend": N_("Suspension of the account lifted"),
    "account/administrator_grant": N_("Was made an administrator"),
    "account/queue_retry": N_("Tried again what had failed, such as a message or a webhook"),
    "account/queue_discard": N_("Discarded what had failed, such as a message or a webhook"),
    "account/entitlement_grant": N_("Was granted a feature"),
    "account/entitlement_revoke": N_("A grant of a feature was revoked"),
    "post_tokens": N_("Created an access token"),
    "delete_tokens_tokenId": N_("Revoked an access token"),
    "post_restaurants_id_menu_categories": N_("Added a menu category"),
    "put_restaurants_id_menu_categories_categoryId": N_("Changed a menu category"),
    "delete_restaurants_id_menu_categories_categoryId": N_("Deleted a menu category"),
    "post_restaurants_id_menu_items": N_("Added a menu item"),
    "put_restaurants_id_menu_items_itemId": N_("Changed a menu item"),
    "delete_restaurants_id_menu_items_itemId": N_("Deleted a menu item"),
    "patch_restaurants_id_menu_items_itemId_sold_out": N_("Changed whether an item is sold out"),
    "post_restaurants_id_menu_import": N_("Imported a menu"),
    "post_restaurants_id_orders": N_("Placed an order"),
    "put_restaurants_id_orders_orderId_status": N_("Changed the status of an order"),
    "post_restaurants_id_orders_orderId_refunds": N_("Refunded an order"),
    "post_restaurants_id_orders_orderId_payments": N_("Recorded a payment"),
    "post_restaurants_id_orders_orderId_assign": N_("Assigned a driver to an order"),
    "post_restaurants_id_customers": N_("Added a customer"),
    "delete_restaurants_id_customers_customerId": N_("Erased a customer"),
    "post_drivers": N_("Added a driver"),
    "put_drivers_id": N_("Changed a driver"),
    "delete_drivers_id": N_("Removed a driver"),
    "put_restaurants_id_delivery_terms": N_("Changed delivery areas and fees"),
    "put_restaurants_id_slot_settings": N_("Changed pick-up times"),
    "post_webhook_endpoints": N_("Created a webhook endpoint"),
    "patch_webhook_endpoints_id": N_("Changed a webhook endpoint"),
    "delete_webhook_endpoints_id": N_("Deleted a webhook endpoint"),
    "post_webhook_endpoints_id_rotate_secret": N_("Replaced the secret of a webhook endpoint"),
}
# What is said of an entry whose subjects are known, by its action without the part of owners or staff.
DETAILED_SENTENCES: Final = {
    "post_orders": N_("Placed order #%(order)s"),
    "put_orders_orderId_status": N_("Changed the status of order #%(order)s"),
    "post_orders_orderId_assign": N_("Assigned a driver to order #%(order)s"),
    "put_orders_orderId_delivery_status": N_("Changed the delivery status of order #%(order)s"),
    "post_orders_orderId_payments": N_("Took %(amount)s for order #%(order)s: %(method)s"),
    "post_orders_orderId_payments_paymentId_cancel": N_("Cancelled a payment of order #%(order)s"),
    "post_orders_orderId_refunds": N_("Refunded %(amount)s of order #%(order)s"),
    "post_driver_deliveries_orderId_claim": N_("Accepted the delivery of order #%(order)s"),
    "put_driver_deliveries_orderId_status": N_("Changed the delivery status of order #%(order)s"),
    "post_menu_items": N_("Added %(item)s to the menu"),
    "put_menu_items_itemId": N_("Changed %(item)s on the menu"),
    "patch_menu_items_itemId_sold_out": N_("Changed whether %(item)s is sold out"),
    "post_menu_categories": N_("Added the category %(category)s to the menu"),
    "put_menu_categories_categoryId": N_("Changed the category %(category)s of the menu"),
    "put_station_routes_items_itemId": N_("Changed where %(item)s is prepared"),
    "put_station_routes_categories_categoryId": N_("Changed where the category %(category)s is prepared"),
}
CASH: Final = "cash"
CASH_SENTENCE: Final = N_("Took %(amount)s in cash for order #%(order)s")
# The part of an action that differs between an owner's route and that of their staff.
CALLER_PART: Final = re.compile(r"^(post|put|patch)_(?:restaurants_id|staff)_")
PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")
END_OF_SUMMARY: Final = re.compile(r"[.;,:(]\s|[.;,:]$")


def describe_action(action: str) -> str:
    """Return a sentence for an action: of the list above, or else the summary of its route or tool."""
    if sentence := SENTENCES.get(action):
        return _(sentence)
    if action.startswith("mcp/"):
        tool = action.rpartition("/")[2].replace("_", " ").capitalize()
        return _("%(tool)s, through an assistant", tool=tool)
    route = next((route for route in runtime.registry().routes if route.operation_id == action), None)
    return action.replace("_", " ").replace("/", ": ").capitalize() if route is None else _summarize(route)


def describe_entry(action: str, subjects: Mapping[str, str]) -> str:
    """Return a sentence for an entry that names what it is about, or that of its action if too little is known."""
    sentence = DETAILED_SENTENCES.get(CALLER_PART.sub(r"\1_", action))
    if sentence is not None and subjects.get("method_code") == CASH:
        sentence = CASH_SENTENCE
    if sentence is None or not subjects.keys() >= set(PLACEHOLDER.findall(sentence)):
        return describe_action(action)
    return _(sentence, **subjects)


def list_actions() -> list[tuple[str, str]]:
    """List the actions of owners, their staff and apps that leave entries, with their sentences."""
    kinds = {code for code, kind in runtime.registry().caller_kinds.items() if kind.is_audited}
    found = {
        route.operation_id: describe_action(route.operation_id)
        for route in runtime.registry().routes
        if not route.is_read_only and route.is_rest and kinds.intersection(route.callers)
    }
    return sorted(found.items(), key=lambda action: action[1])


def _summarize(route: Route) -> str:
    return _(END_OF_SUMMARY.split(route.summary, maxsplit=1)[0].replace("`", "").replace("_", " "))
