"""Shares a bill among guests: pure, in minor units. What does not divide goes to the first."""

from collections.abc import Sequence


def evenly(left_minor: int, n: int) -> list[int]:
    """Share in ``n`` parts that differ in nothing but what does not divide, which the first pays."""
    each, over = divmod(left_minor, n)
    return [each + over, *[each] * (n - 1)]


def by_amount(left_minor: int, amounts_minor: Sequence[int]) -> list[int]:
    """Share by what each wants to pay, and what that leaves. Raises ``ValueError`` for more than is left."""
    rest = left_minor - sum(amounts_minor)
    if rest < 0:
        raise ValueError("These are more than what is left to pay.")
    return [*amounts_minor, rest] if rest else list(amounts_minor)


def by_weight(total_minor: int, left_minor: int, weights: Sequence[int]) -> list[int]:
    """Share the whole bill in proportion to ``weights``, so that fees and tips follow the lines.

    Where some of it is paid, the parts are taken from what is left, the first ones first: a guest owes the same,
    whoever paid before. Shares are rounded down, and what that leaves goes to the first.
    """
    whole = sum(weights)
    if whole == 0:
        return evenly(left_minor, len(weights))
    shares = [total_minor * weight // whole for weight in weights]
    shares[0] += total_minor - sum(shares)
    parts: list[int] = []
    for share in shares:
        parts.append(min(share, left_minor - sum(parts)))
    return parts
