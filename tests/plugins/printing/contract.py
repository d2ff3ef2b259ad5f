"""Path parameters and bodies of the routes of printing, for the tests of all routes."""

from itertools import count

_numbers = count(1)


async def create_printer(workshop, store_id, kind="cloudprnt"):
    body = {"name": f"{workshop.marker} {next(_numbers)}", "kind": kind}
    return await workshop.post(f"/restaurants/{store_id}/printers", body)


async def create_job(workshop, store_id):
    printer_id = await create_printer(workshop, store_id, "browser")
    return await workshop.post(f"/restaurants/{store_id}/printers/{printer_id}/test", None)


async def create_printer_of_order(workshop, store_id, _order_id):
    return await create_printer(workshop, store_id)


async def create_code(workshop):
    path = f"/api/v1/restaurants/{workshop.home or await workshop.store()}/printers"
    kind = {"name": f"Printer {next(_numbers)}", "kind": "cloudprnt"}
    response = await workshop.client.post(path, headers=workshop.owner.auth, json=kind)
    return (await response.get_json())["url"].rpartition("/")[2]


FACTORIES = {
    "/restaurants/{id}/printers/{printerId}": create_printer,
    "/restaurants/{id}/print-jobs/{jobId}": create_job,
    "/restaurants/{id}/orders/{orderId}/printers/{printerId}": create_printer_of_order,
    "/printers/cloudprnt/{code}": create_code,
    "/printers/epson/{code}": create_code,
}
BODIES = {
    "PrinterBody": {"name": "Stolen", "kind": "cloudprnt"},
    "PrinterChange": {"name": "Stolen"},
    "PrintBody": {"kind": "receipt"},
}
