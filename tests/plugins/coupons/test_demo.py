"""The coupons of the demo restaurants."""

from comanda.operations.demo_data import DemoBuilder
from comanda_coupons.demo import DEMO_COUPONS, create_demo_coupons


async def test_demo_coupons_are_created_once(shop, owner):
    showcase = DemoBuilder(owners={"owner": owner.id})
    showcase.stores += [{"id": shop.id, "slug": "x", "store_type": "restaurant"}]
    showcase.stores += [{"id": 0, "slug": "y", "store_type": "hotel"}]

    await create_demo_coupons(showcase)
    await create_demo_coupons(showcase)

    codes = {coupon["code"] for coupon in (await shop.get("/coupons"))["data"]}
    assert codes == {coupon.code for coupon in DEMO_COUPONS}
