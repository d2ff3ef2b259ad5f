"""A customer's order on the wire."""

from comanda.http.wire import Id
from comanda.orders.schemas import OrderBody


class CustomerOrderBody(OrderBody):
    """An order to place. A delivery goes to ``address``, or to the saved one that ``address_id`` names.

    The name and phone are those of the customer's profile, whatever stands here.
    """

    address_id: Id | None = None
