"""The export of a person's invoices. They are not erased: the law wants them kept as they were issued."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from comanda.basics import to_number
from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

from comanda_invoices.services.documents import format_number

SELECT_DOCUMENTS: Final = """
    SELECT issued_at, kind, prefix, number, order_id, total_minor, currency, content ->> 'buyer' AS buyer
    FROM invoices_document WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) ORDER BY id
"""


async def export_documents(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return the invoices and credit notes of a person's orders, with whom they are made out to."""
    rows = await sql.fetch(SELECT_DOCUMENTS, person.owner_id, sorted(person.order_ids))
    return [
        {
            "issued_at": row["issued_at"],
            "kind": row["kind"],
            "number": format_number(row["prefix"], row["number"]),
            "order_id": row["order_id"],
            "total": to_number(row["total_minor"], row["currency"]),
            "currency": row["currency"],
            "buyer": orjson.loads(row["buyer"]),
        }
        for row in rows
    ]


ERASER: Final = PersonalDataEraser("invoices", export=export_documents)
