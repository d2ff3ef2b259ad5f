"""Fulfillment modes: the ways for an order to reach its customer."""

from dataclasses import dataclass

from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class FulfillmentMode:
    """One value of an order's ``type``.

    ``required_fields`` maps a field of the order body to the sentence a client reads when it is missing. ``fields`` are
    keys of the body that only this mode knows, a pydantic model; they are stored with the order and stand in its record
    under their own names. ``guest_fields`` are required besides of guests who order on a store's page, where nobody can
    ask them afterwards. ``is_delivery`` gives its orders a delivery status; ``is_collection`` lets a storefront offer
    it to the public, unless ``on_storefront`` is false; ``on_page`` lets guests also order so on a store's page, which
    asks them for everything; with ``is_scheduled`` the store agrees a time for each order,
    so whether it is open is asked of that time by whoever agrees it.
    """

    code: str
    label: str
    required_fields: tuple[tuple[str, str], ...] = ()
    guest_fields: tuple[tuple[str, str], ...] = ()
    fields: type[BaseModel] | None = None
    is_delivery: bool = False
    is_collection: bool = False
    is_scheduled: bool = False
    on_storefront: bool = True
    on_page: bool = False

    @property
    def is_for_guests(self) -> bool:
        """Return whether guests who do not say who they are may order so, on a storefront."""
        return self.is_collection and self.on_storefront
