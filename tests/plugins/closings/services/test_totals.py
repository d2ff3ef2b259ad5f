"""Totals that are made of sums."""

from comanda_closings.services.figures import Figure, Section, Sums
from comanda_closings.services.totals import create_figures


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
