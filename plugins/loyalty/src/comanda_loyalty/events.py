"""The event of points that have changed."""

from comanda.contracts import Event


class LoyaltyChanged(Event):
    """The points of a customer changed. ``points_after`` is what they have then; refunds may make it negative.

    The ``kind`` is ``earn`` for a paid order, ``revoke`` for one that was refunded or cancelled, ``redeem`` for a
    reward, ``restore`` for a reward whose order was cancelled, ``expire``, or ``adjust`` by the store.
    """

    name = "loyalty.changed"
    scope = "customers:read"
    sample = {
        "entry_id": 512,
        "restaurant_id": 7,
        "customer_id": 311,
        "kind": "earn",
        "points": 23,
        "points_after": 118,
        "order_id": 1024,
    }

    entry_id: int
    restaurant_id: int
    customer_id: int
    kind: str
    points: int
    points_after: int
    order_id: int | None
