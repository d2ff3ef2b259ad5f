"""Coupons and promotions, managed by owners: the first are redeemed by storefront orders, the others need no code."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    PersonalDataEraser,
    Routes,
    Tool,
)

from comanda_coupons import participant
from comanda_coupons.demo import create_demo_coupons
from comanda_coupons.erasure import ERASER
from comanda_coupons.pages import promotions as promotion_pages
from comanda_coupons.pages.dashboard import NAVIGATION, dashboard
from comanda_coupons.routes import coupons as coupon_routes
from comanda_coupons.routes import promotions as promotion_routes
from comanda_coupons.services import promotion_steps, redemptions
from comanda_coupons.services.promotion_pricing import NAME
from comanda_coupons.services.store_offers import load_offers
from comanda_coupons.tools import TOOLS

# After cheaper checks that may refuse the order: the coupon's row stays locked until the order is stored.
PRIORITY = 200
# Before coupons, which take off what promotions leave, and lock their rows after those of guests and promotions.
PROMOTION_PRIORITY = 190


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("coupons", ("comanda_coupons.models",), "comanda_migrations.coupons")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [coupon_routes.routes, promotion_routes.routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return [*NAVIGATION, *promotion_pages.NAVIGATION]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(
            "coupons",
            priority=PRIORITY,
            load=load_offers,
            concerns=participant.has_coupon_code,
            validate=participant.apply,
            reserve=participant.reserve,
            placed=participant.record,
            amended=participant.update_discount,
            cancelled=redemptions.release_redemptions,
            reopened=redemptions.restore_redemptions,
        ),
        OrderParticipant(
            NAME,
            priority=PROMOTION_PRIORITY,
            load=load_offers,
            prepare=promotion_steps.prepare,
            concerns=promotion_steps.has_promotions,
            validate=promotion_steps.apply,
            offers=promotion_steps.list_offers,
        ),
        OrderParticipant(
            "promotion_limits",
            priority=PROMOTION_PRIORITY,
            load=load_offers,
            concerns=promotion_steps.has_limited_promotions,
            reserve=promotion_steps.reserve,
            placed=promotion_steps.record,
            amended=promotion_steps.update,
        ),
    ]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Discount codes for storefront orders: terms, limits, refusals, and how uses are counted."
    promotions = (
        "Discounts without a code: what they take off, how they are stacked, when they are on, limits and budgets."
    )
    return [
        Chapter("coupons", "Coupons", summary, "comanda_coupons", "docs/coupons.md"),
        Chapter("promotions", "Promotions", promotions, "comanda_coupons", "docs/promotions.md"),
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("coupons", create_demo_coupons, needs_stores=True)]
