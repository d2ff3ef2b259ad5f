"""The errors of carts beyond core's errors."""

from comanda.basics import Conflict


class CartConverted(Conflict):
    """The cart has become an order and can no longer be changed."""

    code, message = "cart_converted", "This cart has become an order and cannot be changed. Create a new one."


class KeyReused(Conflict):
    """The key belongs to an order with other contents, which may be another agent's."""

    code = "idempotency_mismatch"
    message = "This idempotency_key has placed another order. Use a new one for each order."


class CartModified(Conflict):
    """The cart was changed, or became an order, since it was read."""

    message = "This cart is being changed by another request. Try again."


class PriceChanged(Conflict):
    """The order's total differs from the expected total."""

    def __init__(self, total_minor: int) -> None:
        super().__init__("The price has changed.")
        self.total_minor = total_minor
