"""What a cart keeps for agents beside its contents: the buyer, the fulfillment that was chosen, and what it is."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from comanda.basics import NotFound
from comanda_storefront.api import Cart, get_cart

from comanda_ucp.schemas import Buyer, FulfillmentMethod
from comanda_ucp.services.stores import UcpStore


class SessionKind(StrEnum):
    """What a session is. A cart that becomes a checkout is both, so that they have the same contents."""

    CART = "cart"
    CHECKOUT = "checkout"


@dataclass(frozen=True, slots=True)
class FulfillmentChoice:
    """How an order reaches its buyer, as far as the agent has chosen it: ``pickup`` or ``shipping``."""

    type: str | None = None
    destinations: list[dict[str, str]] = field(default_factory=list)
    destination_id: str | None = None
    option_id: str | None = None

    @classmethod
    def of(cls, method: FulfillmentMethod) -> Self:
        """Return the choice of a method. A destination without an id gets one."""
        destinations = [
            {**given.model_dump(exclude_none=True), "id": given.id or f"destination_{place}"}
            for place, given in enumerate(method.destinations, 1)
        ]
        option = next((group.selected_option_id for group in method.groups), None)
        return cls(method.type, destinations, method.selected_destination_id, option)

    @property
    def destination(self) -> Mapping[str, str] | None:
        """The destination that was selected."""
        return next((each for each in self.destinations if each["id"] == self.destination_id), None)


@dataclass(frozen=True, slots=True)
class Session:
    """A session. ``total_minor`` is what the agent was last told, which a completed order must cost."""

    kinds: list[str]
    buyer: dict[str, str] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)
    fulfillment: FulfillmentChoice = FulfillmentChoice()
    is_canceled: bool = False
    total_minor: int | None = None

    @classmethod
    def of(cls, cart: Cart) -> Self | None:
        """Return the session of a cart, or None for a cart of another protocol."""
        if cart.session is None:
            return None
        kept = dict(cart.session)
        return cls(**{**kept, "fulfillment": FulfillmentChoice(**kept["fulfillment"])})

    def to_column(self) -> Mapping[str, Any]:
        """Return what the cart's row holds."""
        return asdict(self)

    def add_kind(self, kind: SessionKind) -> Self:
        """Return the session as one of this kind too."""
        return replace(self, kinds=sorted({*self.kinds, kind.value}))

    def remove_kind(self, kind: SessionKind) -> Self:
        """Return the session as one that is not of this kind."""
        return replace(self, kinds=[each for each in self.kinds if each != kind])


def to_buyer(buyer: Buyer | None) -> dict[str, str]:
    """Return what is known of a buyer."""
    return {} if buyer is None else buyer.model_dump(exclude_none=True)


async def find_session(store: UcpStore, handle: str, kind: SessionKind) -> tuple[Cart, Session]:
    """Return a session of a store by its id. Raises ``NotFound``, also for one that is not of this kind."""
    cart = await get_cart(store.caller, handle)
    session = Session.of(cart)
    if session is None or kind not in session.kinds:
        raise NotFound(f"This {kind} does not exist or has expired. Create a new one.")
    return cart, session
