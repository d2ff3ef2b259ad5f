"""What agents send. Unknown fields, such as those of other extensions, are ignored."""

from typing import Annotated, Any, Final, Literal

from comanda.contracts import Body, Count, ShortText
from pydantic import Field

MAX_PARTS: Final = 10
MAX_IDS: Final = 50
# The rows of a cart.
MAX_LINES: Final = 40

SessionId = Annotated[str, Field(max_length=200)]
Code = Annotated[ShortText, Field(max_length=50)]
Quantity = Annotated[Count, Field(ge=1)]


class ItemReference(Body):
    """What is bought: the id of a variant in the catalog."""

    id: Annotated[str, Field(max_length=60)]


class LineItem(Body):
    """A line of a cart."""

    item: ItemReference
    quantity: Quantity


class Buyer(Body):
    """Who buys."""

    first_name: ShortText | None = None
    last_name: ShortText | None = None
    email: ShortText | None = None
    phone_number: Annotated[ShortText, Field(max_length=50)] | None = None


class Destination(Body):
    """Where an order goes."""

    id: ShortText | None = None
    first_name: ShortText | None = None
    last_name: ShortText | None = None
    phone_number: Annotated[ShortText, Field(max_length=50)] | None = None
    street_address: ShortText | None = None
    extended_address: ShortText | None = None
    address_locality: ShortText | None = None
    address_region: ShortText | None = None
    postal_code: Annotated[ShortText, Field(max_length=20)] | None = None
    address_country: ShortText | None = None


class FulfillmentGroup(Body):
    """The option that was chosen."""

    selected_option_id: ShortText | None = None


class FulfillmentMethod(Body):
    """How an order reaches its buyer."""

    type: Literal["shipping", "pickup"] | None = None
    destinations: Annotated[list[Destination], Field(max_length=MAX_PARTS)] = []
    selected_destination_id: ShortText | None = None
    groups: Annotated[list[FulfillmentGroup], Field(max_length=MAX_PARTS)] = []


class Fulfillment(Body):
    """How the lines reach their buyer; a store takes one method for all of them."""

    methods: Annotated[list[FulfillmentMethod], Field(max_length=MAX_PARTS)] = []


class Discounts(Body):
    """Codes of coupons."""

    codes: Annotated[list[ShortText], Field(max_length=MAX_PARTS)] = []


class CartBody(Body):
    """The complete contents of a cart."""

    line_items: Annotated[list[LineItem], Field(min_length=1, max_length=MAX_LINES)]
    buyer: Buyer | None = None
    discounts: Discounts | None = None


class CheckoutBody(CartBody):
    """The complete contents of a checkout."""

    fulfillment: Fulfillment | None = None


class NewCheckoutBody(CheckoutBody):
    """A checkout to create; the contents of a cart take the place of those given."""

    line_items: Annotated[list[LineItem], Field(max_length=MAX_LINES)] = []
    cart_id: SessionId | None = None


class Payment(Body):
    """What the agent would pay with."""

    instruments: Annotated[list[dict[str, Any]], Field(max_length=MAX_PARTS)] = []


class CompletionBody(Body):
    """The completion of a checkout."""

    payment: Payment = Payment()


class PriceFilter(Body):
    """Prices in minor units."""

    min: Count | None = None
    max: Count | None = None


class SearchFilters(Body):
    """What products have to be like."""

    categories: Annotated[list[ShortText], Field(max_length=MAX_IDS)] = []
    price: PriceFilter = PriceFilter()


class Pagination(Body):
    """A page of products."""

    cursor: Annotated[str, Field(pattern=r"^\d{1,6}$")] | None = None
    limit: Quantity = 10


class SearchBody(Body):
    """A search for products."""

    query: ShortText = ""
    filters: SearchFilters = SearchFilters()
    pagination: Pagination = Pagination()


class LookupBody(Body):
    """The ids of products and variants to look up."""

    ids: Annotated[list[Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=MAX_IDS)]


class SelectedOption(Body):
    """An option that was chosen."""

    name: ShortText
    label: ShortText


class ItemBody(Body):
    """The product to show, with what has been chosen of it."""

    id: Annotated[str, Field(max_length=60)]
    selected: Annotated[list[SelectedOption], Field(max_length=MAX_PARTS)] = []
    preferences: Annotated[list[ShortText], Field(max_length=MAX_PARTS)] = []
