"""Erasure of recipients and occasions; the number of gifts per day is kept."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.orders import anonymize_events, delete_order_fields, lock_rows_of
from comanda.platform.db import sql

from comanda_florist.events import BouquetPromised, OccasionNear
from comanda_florist.schemas.items import GiftFields

SELECT_OCCASIONS: Final = "SELECT id FROM florist_occasion WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
DELETE_OCCASIONS: Final = "DELETE FROM florist_occasion WHERE owner_id = $1 AND id = ANY($2::bigint[])"


async def erase_occasions(person: Person) -> None:
    """Delete a person's occasions and the recipients of their gifts."""
    ids = await lock_rows_of(person, "florist_occasion", by=("phone",))
    ids += [row["id"] for row in await sql.fetch(SELECT_OCCASIONS, person.owner_id, sorted(person.order_ids))]
    await sql.execute(DELETE_OCCASIONS, person.owner_id, ids)
    await delete_order_fields(person, *GiftFields.model_fields)
    await anonymize_events(person, BouquetPromised, "order_id", person.order_ids)
    await anonymize_events(person, OccasionNear, "occasion_id", ids)


ERASER: Final = PersonalDataEraser("florist", erase_occasions)
