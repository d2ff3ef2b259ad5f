"""What stands in documents: lines of every kind, and the division of what is credited."""

from datetime import date

from comanda.basics import Money
from comanda.devkit.testing import line
from comanda_invoices.records import Buyer, InvoiceContent, Seller, TaxAmount
from comanda_invoices.services import contents_json
from comanda_invoices.services.contents import create_credit_note
from hypothesis import given
from hypothesis import strategies as st

RATES = (0, 60_000, 230_000)
amounts = st.integers(0, 10**9)


def to_money(minor):
    return Money(minor, "EUR")


def create_content(grosses, tip):
    taxes = [
        TaxAmount(rate, to_money(gross - gross * rate // 10**6), to_money(gross * rate // 10**6), to_money(gross))
        for rate, gross in zip(RATES, grosses, strict=True)
    ]
    return InvoiceContent(
        order_number=1,
        supplied_on=date(2026, 3, 1),
        seller=Seller("s", "s", "", ""),
        buyer=Buyer("b", "b", ""),
        lines=[],
        adjustments=[],
        is_tax_included=True,
        taxes=taxes,
        tip=to_money(tip),
        total=to_money(sum(grosses) + tip),
        payments=[],
    )


@given(
    st.tuples(amounts, amounts, amounts),
    amounts,
    st.lists(st.tuples(st.integers(0, 10**9), st.dictionaries(st.sampled_from(RATES), amounts)), max_size=5),
)
def test_credit_notes_add_up_to_the_invoice(grosses, tip, refunds):
    invoice, notes = create_content(grosses, tip), []
    left = invoice.total.minor
    for amount, weights in [*refunds, (left, {})]:
        amount_minor = left if (amount, weights) == (invoice.total.minor, {}) else min(amount, left)
        note = create_credit_note(invoice, notes, amount_minor, weights, "x")
        assert note.total.minor == note.tip.minor + sum(row.gross.minor for row in note.taxes) == -amount_minor
        assert all(row.gross == row.net + row.tax for row in note.taxes)
        notes.append(note)
        left -= amount_minor
    last = create_credit_note(invoice, notes, left, {}, "x")

    documents = [invoice, *notes, last]
    for rate in RATES:
        rows = [row for each in documents for row in each.taxes if row.rate == rate]
        assert (sum(row.net.minor for row in rows), sum(row.tax.minor for row in rows)) == (0, 0)
    assert sum(each.tip.minor for each in documents) == 0


@given(st.tuples(amounts, amounts, amounts), amounts)
def test_stored_content_is_read_as_it_was(grosses, tip):
    content = create_content(grosses, tip)

    assert contents_json.from_json(contents_json.to_json(content)) == content


async def test_line_names_variation_and_extras(store, seller, pay, issue):
    groups = [{"name": "More", "extras": [{"name": "Garlic", "price": 1}]}]
    item = await store.item("Pizza", 8, variations=[{"name": "Large", "price": 10}], extra_groups=groups)
    chosen = {"variation": item["variations"][0]["id"]}
    extra = item["extra_groups"][0]["extras"][0]["id"]
    order = await store.order(line(item, 2, **chosen, extras=[extra]), type="takeaway")
    await pay(order)

    (bought,) = (await issue(order))["lines"]

    assert (bought["name"], bought["options"]) == ("Pizza", "Large, Garlic")
    assert (bought["quantity"], bought["unit_price"], bought["amount"]) == (2, 11, 22)
