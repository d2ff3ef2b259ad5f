"""Tables of the rental plugin."""

from comanda.platform.db import StoreRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField


class Tool(StoreRow):
    """The lock under which the bookings of a tool are made one after another."""

    item_id = fields.BigIntField()

    class Meta:
        table = "rental_tool"


class Booking(StoreRow):
    """The pieces of a tool that an order's line has, by their numbers, and the days for which it has them.

    It ends with its return, or else with ``last_day``. ``customer_id`` is who ordered with a customer's token.
    """

    item_id = fields.BigIntField()
    order_id = fields.BigIntField()
    line_id = fields.BigIntField()
    customer_id = fields.BigIntField(null=True)
    tool_name = fields.CharField(max_length=255)
    pieces: fields.Field[list[int]] = ArrayField(element_type="smallint")
    first_day = fields.DateField()
    last_day = fields.DateField()
    returned_on = fields.DateField(null=True)
    daily_price_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    is_cancelled = fields.BooleanField(default=False)

    class Meta:
        table = "rental_booking"
