"""Guests are identified by customer account and by phone number."""

import pytest
from comanda.devkit.testing import line
from comanda_coupons.services.guests import CouponGuest, to_phone_key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("+351 912 345 678", "12345678"),
        ("912345678", "12345678"),
        ("(0)151-2345 6789", "23456789"),
        ("12345", "12345"),
        ("1234", None),
        ("call me", None),
        ("٩١٢٣٤٥٦٧٨", "12345678"),
        ("", None),
        (None, None),
    ],
)
def test_phone_key_is_last_digits(text, key):
    assert to_phone_key(text) == key


def test_lock_names_are_sorted():
    assert CouponGuest(7, "12345678").lock_names == ["customer:7", "phone:12345678"]
    assert (CouponGuest().lock_names, CouponGuest().is_known) == ([], False)


async def test_customer_is_identified_by_account_and_phone(shop, get_refusal_reason):
    await shop.coupon(per_customer_limit=1)
    await shop.sign_in_customer()
    await shop.place_order(line(shop.soup), phone="912345678")

    assert await get_refusal_reason(shop, line(shop.soup)) == "used_up"
    await shop.sign_in_customer()
    assert await get_refusal_reason(shop, line(shop.soup), phone="912345678") == "used_up"
    await shop.place_order(line(shop.soup))
    shop.customer_id = None
    assert await get_refusal_reason(shop, line(shop.soup), phone="912345678") == "used_up"


@pytest.mark.parametrize("terms", [{"per_customer_limit": 1}, {"first_order_only": True}])
async def test_limited_coupon_requires_identified_guest(shop, terms, get_refusal_reason):
    await shop.coupon(**terms)

    assert await get_refusal_reason(shop, line(shop.soup)) == "not_applicable"
    assert await get_refusal_reason(shop, line(shop.soup), phone="call me") == "not_applicable"
    assert (await shop.place_order(line(shop.soup), phone="912345678"))["discount_total"] == 1


async def test_limit_per_guest_ignores_format_of_phone(shop, get_refusal_reason):
    coupon = await shop.coupon(per_customer_limit=2)

    await shop.place_order(line(shop.soup), phone="+351 912 345 678")
    await shop.place_order(line(shop.soup), phone="912-345-678")

    for phone in ("00351912345678", "\u0669\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668"):
        assert await get_refusal_reason(shop, line(shop.soup), phone=phone) == "used_up"
    assert (await shop.place_order(line(shop.soup), phone="912 345 679"))["discount_total"] == 1
    assert await shop.used(coupon) == 3
