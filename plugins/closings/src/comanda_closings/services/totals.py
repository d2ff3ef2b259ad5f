"""The totals of a report, made of the sums of its days."""

from collections.abc import Mapping, Sequence
from typing import Final

from comanda.basics import Money
from comanda.platform.db import sql
from comanda_staff.api import get_names

from comanda_closings.records import CategoryTotal, Figures, SalesTotal, StaffTotal, TaxTotal, TenderTotal, Totals
from comanda_closings.services.figures import STAFF_PREFIX, Figure, Section, Sums

SELECT_CATEGORIES: Final = """
    SELECT id, name FROM core_menu_category_v1 WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""
CHARGES: Final = (
    Figure.SERVICE_CHARGES,
    Figure.DELIVERY_FEES,
    Figure.OTHER_CHARGES,
    Figure.ADDED_TAX,
    Figure.ORDER_TIPS,
)


async def create_totals(
    owner_id: int, sums: Sums, currency: str, categories: Mapping[str, str] | None = None
) -> Totals:
    """Return the totals of sums; ``categories`` are the names of categories by code, by default those of now."""
    names = await get_category_names(owner_id, sums) if categories is None else categories
    codes = {code for section in (Section.STAFF, Section.TIP) for code in _list_codes(sums, section) if code}
    staff = await get_names(owner_id, [int(code.removeprefix(STAFF_PREFIX)) for code in codes if _is_staff(code)])
    return Totals(
        figures=create_figures(sums, currency),
        taxes=_list_taxes(sums, currency),
        tenders=_list_tenders(sums, currency),
        hours=_list_sales(sums, Section.HOUR, currency),
        categories=_list_categories(sums, currency, names),
        channels=_list_sales(sums, Section.CHANNEL, currency),
        types=_list_sales(sums, Section.MODE, currency),
        staff=_list_staff(sums, currency, {f"{STAFF_PREFIX}{id}": name for id, name in staff.items()}),
    )


async def get_category_names(owner_id: int, sums: Sums) -> dict[str, str]:
    """Return the names of the categories in sums, by code; deleted ones are left out."""
    ids = [int(code) for code in _list_codes(sums, Section.CATEGORY) if code]
    rows = await sql.fetch(SELECT_CATEGORIES, owner_id, ids) if ids else []
    return {str(row["id"]): row["name"] for row in rows}


def create_figures(sums: Sums, currency: str) -> Figures:
    def count(figure: Figure) -> int:
        return sums.by_key.get((Section.FIGURE, figure), (0, 0, 0))[0]

    def get_minor(figure: Figure) -> int:
        return sums.by_key.get((Section.FIGURE, figure), (0, 0, 0))[1]

    net_minor = get_minor(Figure.GROSS_SALES) - sum(
        get_minor(figure) for figure in (Figure.VOIDS, Figure.CANCELLED, Figure.DISCOUNTS, Figure.COMPS)
    )
    collected_minor = sum(get_minor(each) for each in (Figure.PAYMENTS, Figure.PAYMENT_TIPS, Figure.ROUNDING))
    amounts = {
        **{figure.value: get_minor(figure) for figure in Figure},
        "net_sales": net_minor,
        "sales_total": net_minor + sum(get_minor(figure) for figure in CHARGES),
        "collected": collected_minor,
        "tips": get_minor(Figure.ORDER_TIPS) + get_minor(Figure.PAYMENT_TIPS),
    }
    return Figures(
        orders=count(Figure.GROSS_SALES),
        cancelled_orders=count(Figure.CANCELLED),
        voided_items=count(Figure.VOIDS),
        refund_count=count(Figure.REFUNDS),
        **{name: Money(minor, currency) for name, minor in amounts.items()},
    )


def _list_codes(sums: Sums, *sections: Section) -> list[str]:
    return sorted({code for section, code in sums.by_key if section in sections})


def _list_taxes(sums: Sums, currency: str) -> list[TaxTotal]:
    rows = []
    for code in sorted(_list_codes(sums, Section.TAX, Section.REFUND_TAX), key=int):
        amounts: list[int] = []
        for section in (Section.TAX, Section.REFUND_TAX):
            _, net_minor, tax_minor = sums.by_key.get((section, code), (0, 0, 0))
            amounts += (net_minor, tax_minor, net_minor + tax_minor)
        rows.append(TaxTotal(int(code), *(Money(minor, currency) for minor in amounts)))
    return rows


def _list_tenders(sums: Sums, currency: str) -> list[TenderTotal]:
    rows = []
    for method in _list_codes(sums, Section.TENDER, Section.REFUND):
        payments, collected_minor, _ = sums.by_key.get((Section.TENDER, method), (0, 0, 0))
        refunds, refunded_minor, _ = sums.by_key.get((Section.REFUND, method), (0, 0, 0))
        collected, refunded = Money(collected_minor, currency), Money(refunded_minor, currency)
        rows.append(TenderTotal(method, payments, collected, refunds, refunded))
    return rows


def _list_sales(sums: Sums, section: Section, currency: str) -> list[SalesTotal]:
    found = []
    for code in _list_codes(sums, section):
        orders, net_minor, _ = sums.by_key[section, code]
        found.append(SalesTotal(code, orders, Money(net_minor, currency)))
    return found


def _list_categories(sums: Sums, currency: str, names: Mapping[str, str]) -> Sequence[CategoryTotal]:
    rows = []
    for code in _list_codes(sums, Section.CATEGORY):
        quantity, net_minor, _ = sums.by_key[Section.CATEGORY, code]
        id = int(code) if code else None
        rows.append(CategoryTotal(id, names.get(code), quantity, Money(net_minor, currency)))
    return sorted(rows, key=lambda row: (row.name is None, row.name or "", row.category_id or 0))


def _list_staff(sums: Sums, currency: str, names: Mapping[str, str]) -> list[StaffTotal]:
    rows = []
    for code in _list_codes(sums, Section.STAFF, Section.TIP):
        orders, net_minor, _ = sums.by_key.get((Section.STAFF, code), (0, 0, 0))
        _, tips_minor, _ = sums.by_key.get((Section.TIP, code), (0, 0, 0))
        amounts = Money(net_minor, currency), Money(tips_minor, currency)
        rows.append(StaffTotal(code or None, names.get(code), orders, *amounts))
    return rows


def _is_staff(code: str) -> bool:
    return code.startswith(STAFF_PREFIX) and code.removeprefix(STAFF_PREFIX).isdigit()
