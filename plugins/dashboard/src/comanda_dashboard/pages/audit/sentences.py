"""Sentences for the actions of the audit log."""

import re
from collections.abc import Mapping
from typing import Final

from comanda.contracts import Route
from comanda.platform import runtime
from comanda.web import N_
from comanda.web import gettext as _

from comanda_dashboard.pages.audit.actions import SENTENCES

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
CALLER_PART: Final = re.compile(r"^(post|put|patch|delete)_(?:restaurants_id|staff)_")
PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")
END_OF_SUMMARY: Final = re.compile(r"[.;,:(]\s|[.;,:]$")


def describe_action(action: str) -> str:
    """Return the sentence of an action, or what is known of one of a plugin that has none: a summary or a name."""
    if action.startswith("mcp/"):
        tool = action.rpartition("/")[2]
        known = SENTENCES.get(tool)
        return _("%(tool)s, through an assistant", tool=_(known) if known else tool.replace("_", " ").capitalize())
    if sentence := SENTENCES.get(CALLER_PART.sub(r"\1_", action)):
        return _(sentence)
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
