"""A customer's order on the wire."""

from comanda.contracts.fields import Id, example
from comanda.contracts.order_bodies import OrderBody


class CustomerOrderBody(OrderBody):
    """An order to place. A delivery goes to ``address``, or to the saved one that ``address_id`` names.

    The name and phone are those of the customer's profile, whatever stands here.
    """

    model_config = example(
        {
            "type": "takeaway",
            "note": "No cutlery, please",
            "items": [{"item_id": 1, "quantity": 2, "note": "Well done"}],
        }
    )

    address_id: Id | None = None
