"""Lists of accounts that people write, one on a line: ``19 = 8400`` for a tax rate, ``stripe = 1361`` for a method."""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from comanda.basics import PPM_OF_WHOLE, to_ppm
from comanda.contracts import parse_decimal

K = TypeVar("K", int, str)

MAX_LINES: Final = 50
ACCOUNT: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z./-]{0,19}")
METHOD: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")


def check_account(text: str) -> str:
    """Return an account, or nothing. Raises ``ValueError``."""
    account = text.strip()
    if account and not ACCOUNT.fullmatch(account):
        raise ValueError("must be an account of at most 20 letters and digits, such as 8400")
    return account


def parse_rates(text: str) -> dict[int, str]:
    """Return accounts by tax rate in parts per million. Raises ``ValueError``."""
    return _parse(text, _parse_rate, "must have a tax rate and an account on each line, such as 19 = 8400")


def parse_methods(text: str) -> dict[str, str]:
    """Return accounts by payment method. Raises ``ValueError``."""
    return _parse(text, _parse_method, "must have a payment method and an account on each line, such as stripe = 1361")


def check_rates(text: str) -> str:
    """Return a list of accounts by tax rate as it is written. Raises ``ValueError``."""
    parse_rates(text)
    return text


def check_methods(text: str) -> str:
    """Return a list of accounts by payment method as it is written. Raises ``ValueError``."""
    parse_methods(text)
    return text


def _parse(text: str, parse_name: Callable[[str], K | None], problem: str) -> dict[K, str]:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MAX_LINES:
        raise ValueError(f"must have at most {MAX_LINES} lines")
    found: dict[K, str] = {}
    for line in lines:
        before, _separator, after = line.partition("=")
        name, account = parse_name(before.strip()), after.strip()
        if name is None or not ACCOUNT.fullmatch(account):
            raise ValueError(problem)
        if name in found:
            raise ValueError("must have each tax rate and payment method once")
        found[name] = account
    return found


def _parse_rate(text: str) -> int | None:
    percent = parse_decimal(text.removesuffix("%").strip(), maximum=100, decimals=4)
    if percent is None:
        return None
    try:
        rate_ppm = to_ppm(percent)
    except ValueError:
        return None
    return rate_ppm if 0 <= rate_ppm <= PPM_OF_WHOLE else None


def _parse_method(text: str) -> str | None:
    return text if METHOD.fullmatch(text) else None
