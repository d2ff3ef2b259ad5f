"""The coupons of the demo restaurants."""

from comanda.operations.demo_data import DemoBuilder
from comanda_coupons.demo import DEMO_COUPONS, create_demo_coupons


async def test_demo_coupons_are_created_once(shop, owner):
    drinks = await shop.category("Sweets and drinks")
    showcase = DemoBuilder(owners={"owner": owner.id})
    showcase.stores += [{"id": shop.id, "slug": "x", "store_type": "restaurant"}]
    showcase.stores += [{"id": 0, "slug": "y", "store_type": "hotel"}]

    await create_demo_coupons(showcase)
    await create_demo_coupons(showcase)

    (happy_hour,) = (await shop.get("/promotions"))["data"]
    assert (happy_hour["name"], happy_hour["category_ids"]) == ("Aperitivo", [drinks])
    codes = {coupon["code"] for coupon in (await shop.get("/coupons"))["data"]}
    assert codes == {coupon.code for coupon in DEMO_COUPONS}
