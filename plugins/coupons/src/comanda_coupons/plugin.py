"""Coupons: owners make them, storefront orders use them, each use counted once."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.mcp import Tool
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.routes import Routes

from comanda_coupons import participation, uses
from comanda_coupons.demo import fill
from comanda_coupons.erasing import ERASER
from comanda_coupons.routes.coupons import routes
from comanda_coupons.tools import TOOLS

# After those that may refuse an order for less: a coupon's row is locked until the order is through.
LATE = 200


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring coupons and their uses."""
    return [ModelSet("coupons", ("comanda_coupons.models",), "comanda_migrations.coupons")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for coupons."""
    return [routes]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Take off what a coupon is worth, and count its use."""
    return [
        OrderParticipant(
            "coupons",
            priority=LATE,
            load=participation.load,
            concerns=participation.names_a_coupon,
            validate=participation.apply,
            reserve=participation.reserve,
            placed=participation.note,
            cancelled=uses.give_back,
            reopened=uses.take_again,
        )
    ]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Let owners' agents manage coupons."""
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget by which number coupons were used."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain coupons."""
    summary = "Codes that take something off storefront orders: terms, limits, refusals, and how uses are counted."
    return [Chapter("coupons", "Coupons", summary, "comanda_coupons", "docs/coupons.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Offer a coupon in each store of the demo that takes orders from guests."""
    return [DemoData("coupons", fill, needs_stores=True)]
