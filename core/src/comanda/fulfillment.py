"""Ways for an order to reach its customer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FulfillmentMode:
    """One value of an order's ``type``.

    ``required_fields`` maps a field of the order body to the sentence a client reads when it is missing.
    ``is_delivery`` gives its orders a delivery status; ``is_collection`` lets a storefront offer it to the public.
    """

    code: str
    label: str
    required_fields: tuple[tuple[str, str], ...] = ()
    is_delivery: bool = False
    is_collection: bool = False
