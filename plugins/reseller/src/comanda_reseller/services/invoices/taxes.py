"""Taxes of invoice lines, whose amounts are without the tax."""

from collections.abc import Sequence

from comanda.basics import PPM_OF_WHOLE, round_half_up


def compute_taxes(amounts_minor: Sequence[int], rate_ppm: int) -> list[int]:
    """Return the tax of each line in minor units, with the sign of its amount.

    The tax is rounded once, on the sum of all lines, and divided among them so that they add up to it exactly.
    """
    taxes = []
    base_minor = tax_minor = 0
    for amount_minor in amounts_minor:
        base_minor += amount_minor
        taxes.append(round_half_up(base_minor * rate_ppm, PPM_OF_WHOLE) - tax_minor)
        tax_minor += taxes[-1]
    return taxes
