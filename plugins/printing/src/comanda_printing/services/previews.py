"""Pictures of jobs, as their printers print them."""

from typing import Final

from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_printing.services import claims, known_printers
from comanda_printing.services.layouts.raster import draw_slip

SELECT_JOB: Final = f"""
    SELECT {claims.COLUMNS}, j.printer_id FROM printing_job j WHERE j.owner_id = $1 AND j.store_id = $2 AND j.id = $3
"""


async def draw_job(caller: Caller, store_id: int, job_id: int) -> bytes:
    """Return a job as a PNG. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_JOB, caller.owner_id, store_id, job_id)
    printer = await known_printers.require_printer(caller.owner_id, store_id, row["printer_id"])
    return await claims.render_job(printer, claims.to_job(row), draw_slip)
