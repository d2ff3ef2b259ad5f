"""The scopes of a customer's own data, by which programs may act for a customer."""

from typing import Final

from comanda.contracts import Scope
from comanda.web import N_

KIND: Final = "customer"
ORDERS: Final = "orders"
PROFILE: Final = "profile"
LABELS: Final = {
    ORDERS: N_("See your orders and bookings, and place and cancel orders for you"),
    PROFILE: N_("See your profile, addresses and points, and change your name and addresses"),
}
CUSTOMER_SCOPES: Final = tuple(Scope(name, label, (KIND,)) for name, label in LABELS.items())
