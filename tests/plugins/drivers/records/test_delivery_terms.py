"""Records of delivery terms."""

from comanda.basics import Money
from comanda.contracts import to_wire
from comanda_drivers.models import DispatchMode, OfferAt, Pod, UnplacedAddress
from comanda_drivers.records.delivery_terms import BandFee, PostcodeBandFee, StoreDeliveryTerms


def test_terms_are_shown_in_kilometres_and_percent():
    terms = StoreDeliveryTerms(
        lat=38.7, lng=-9.1, currency="EUR", fee=Money(350, "EUR"), bands=[BandFee(2500, Money(190, "EUR"))],
        postcode_bands=[PostcodeBandFee(["1100"], Money(250, "EUR"))], unplaced_addresses=UnplacedAddress.ASK,
        free_over=None, min_order=Money(1000, "EUR"), tax_rate_ppm=88_750, max_active_deliveries=5, require_shift=False,
        dispatch_mode=DispatchMode.POOL, offer_at=OfferAt.PREPARING, pod=Pod.NONE, driver_pay=Money(0, "EUR"),
    )  # fmt: skip

    wire = to_wire(StoreDeliveryTerms, terms)

    assert wire["bands"] == [{"up_to_km": 2.5, "fee": 1.9}]
    assert wire["postcode_bands"] == [{"prefixes": ["1100"], "fee": 2.5}]
    assert wire["unplaced_addresses"] == "ask"
    assert (wire["fee"], wire["free_over"], wire["min_order"], wire["tax_rate"]) == (3.5, None, 10, 8.875)
