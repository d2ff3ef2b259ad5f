"""The words of the tables of totals."""

from comanda.operations.demo_data import HISTORY_SOURCE
from comanda.orders import OWNER_CHANNEL
from comanda_closings.pages.totals import CHANNELS
from comanda_customers.services.ordering.orders import CUSTOMER_CHANNEL
from comanda_staff.services.orders import STAFF_CHANNEL
from comanda_storefront.services.channels import AGENT_CHANNEL, STOREFRONT_CHANNEL


def test_every_channel_of_orders_has_a_name():
    channels = [OWNER_CHANNEL, CUSTOMER_CHANNEL, STAFF_CHANNEL, STOREFRONT_CHANNEL, AGENT_CHANNEL]

    assert CHANNELS.keys() == {HISTORY_SOURCE, *(channel.source for channel in channels)}
