"""Totals that are made of sums."""

from comanda_closings.services.figures import Figure, Section, Sums
from comanda_closings.services.totals import create_figures, create_totals


def test_figures_follow_from_each_other():
    sums = Sums()
    for figure, amount in (
        (Figure.GROSS_SALES, 5000),
        (Figure.VOIDS, 700),
        (Figure.CANCELLED, 800),
        (Figure.DISCOUNTS, 90),
        (Figure.COMPS, 10),
        (Figure.SERVICE_CHARGES, 340),
        (Figure.ADDED_TAX, 60),
        (Figure.ORDER_TIPS, 100),
        (Figure.PAYMENTS, 3900),
        (Figure.PAYMENT_TIPS, 50),
        (Figure.ROUNDING, -2),
    ):
        sums.add(Section.FIGURE, figure, 1, amount)

    figures = create_figures(sums, "EUR")

    assert figures.net_sales.minor == 3400
    assert figures.sales_total.minor == 3900
    assert figures.collected.minor == 3948
    assert figures.tips.minor == 150


async def test_refunds_of_a_method_without_payments_and_tips_without_orders_stand_alone(owner):
    sums = Sums()
    sums.add(Section.TENDER, "cash", 3, 2500)
    sums.add(Section.REFUND, "card_external", 1, 400)
    sums.add(Section.STAFF, "", 2, 1800)
    sums.add(Section.TIP, "owner", 1, 150)

    totals = await create_totals(owner.id, sums, "EUR")

    tenders = [
        (each.method, each.payments, each.collected.minor, each.refunds, each.refunded.minor)
        for each in totals.tenders
    ]  # fmt: skip
    assert tenders == [("card_external", 0, 0, 1, 400), ("cash", 3, 2500, 0, 0)]
    staff = [(each.served_by, each.orders, each.net_sales.minor, each.tips.minor) for each in totals.staff]
    assert staff == [(None, 2, 1800, 0), ("owner", 0, 0, 150)]
