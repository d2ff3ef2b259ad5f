"""The plan of each room: a grid on which the owner places the tables, as they stand."""

from itertools import groupby
from typing import Any, Final

from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response, request

from comanda_reservations.pages.dashboard import READ, TABLES, WRITE, dashboard, list_tables
from comanda_reservations.schemas import PLAN_COLUMNS, PLAN_ROWS

TABLE: Final = f"{TABLES}/{{tableId}}"
PLAN: Final = "/stores/{}/reservations/tables/plan"
Json = dict[str, Any]


@dashboard.get("/stores/<int:store_id>/reservations/tables/plan", scope=READ)
async def show_plan(visit: Visit, store_id: int) -> Response:
    """Show where the tables of each room stand."""
    tables = [table for table in await list_tables(visit, store_id) if table["is_active"]]
    tables.sort(key=lambda table: table["area"] or "")
    rooms = [(area, list(found)) for area, found in groupby(tables, key=lambda table: table["area"])]
    return await visit.render(
        "reservations/dashboard/floor_plan.html", rooms=[(area, found, _get_cells(found)) for area, found in rooms]
    )


@dashboard.post("/stores/<int:store_id>/reservations/tables/plan", scope=WRITE)
async def place_table(visit: Visit, store_id: int) -> Response:
    """Put the chosen table into the cell that was pressed, or take it off the plan."""
    sent = await request.form
    column, _dash, row = sent.get("cell", "").partition("-")
    place = (int(column), int(row)) if column.isdecimal() and row.isdecimal() else (None, None)
    if not (table_id := sent.get("table", "")).isdecimal():
        return visit.redirect(PLAN.format(store_id), problem=_("Choose a table first, then its place."))
    body = {"plan_column": place[0], "plan_row": place[1]}
    return await visit.act("PUT", TABLE, to=PLAN.format(store_id), body=body, id=store_id, tableId=int(table_id))


def _get_cells(tables: list[Json]) -> list[list[Json | None]]:
    """Return the rows of a plan with the table of each cell; of two tables with one place the second has none."""
    placed = {(table["plan_row"], table["plan_column"]): table for table in reversed(tables)}
    return [[placed.get((row, column)) for column in range(1, PLAN_COLUMNS + 1)] for row in range(1, PLAN_ROWS + 1)]
