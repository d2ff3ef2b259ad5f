"""Request body of a customer's order."""

from comanda.contracts import Id, OrderBody, example


class CustomerOrderBody(OrderBody):
    """An order to place. A delivery goes to ``address``, or to the saved address with the id ``address_id``.

    The name and phone always come from the customer's profile.
    """

    model_config = example(
        {
            "type": "takeaway",
            "note": "No cutlery, please",
            "items": [{"item_id": 1, "quantity": 2, "note": "Well done"}],
        }
    )

    address_id: Id | None = None
