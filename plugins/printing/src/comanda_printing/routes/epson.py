"""Epson Server Direct Print: the printer asks with a form, gets ePOS-Print XML, and sends its result with a form.

Sources: Server Direct Print User's Manual; ePOS-Print XML User's Manual, the element ``command``.
"""

from typing import Final
from urllib.parse import parse_qsl
from xml.etree.ElementTree import Element, ParseError, fromstring

from comanda.basics import BadRequest
from comanda.contracts import PUBLIC, Answer, Call, FileUpload, Routes, parse_id

from comanda_printing.models import PrinterKind, PrinterState
from comanda_printing.records import KnownPrinter
from comanda_printing.routes.limits import NO_STORE, admit_printer
from comanda_printing.services import claims, known_printers
from comanda_printing.services.layouts.commands import ESCPOS, encode
from comanda_printing.services.layouts.elements import Paper, Slip

routes = Routes("Printers", callers=PUBLIC, prefix="", is_documented=False)

FORM: Final = FileUpload(content_types=("application/x-www-form-urlencoded",))
XML: Final = "text/xml; charset=utf-8"
MAX_FIELDS: Final = 20
EPOS_NAMESPACE: Final = "http://www.epson-pos.com/schemas/2011/03/epos-print"
JOB: Final = """<?xml version="1.0" encoding="utf-8"?>
<PrintRequestInfo Version="2.00"><ePOSPrint>
<Parameter><devid>local_printer</devid><timeout>10000</timeout><printjobid>{id}</printjobid></Parameter>
<PrintData><epos-print xmlns="{namespace}"><command>{commands}</command></epos-print></PrintData>
</ePOSPrint></PrintRequestInfo>"""
STATES: Final = {"EPTR_REC_EMPTY": PrinterState.PAPER_OUT, "EPTR_COVER_OPEN": PrinterState.COVER_OPEN}


@routes.post("/printers/epson/{code}", status=200, upload=FORM)
async def answer_printer(call: Call, code: str) -> Answer:
    """Return the next job to a printer that asks for one, or take the result of one that it printed."""
    printer = await admit_printer(call, code, PrinterKind.EPSON)
    form = _read_form(call.body)
    if form.get("ConnectionType") == "SetResponse":
        await _save_results(printer, form.get("ResponseFile", ""))
    elif form.get("ConnectionType") == "GetRequest":
        return await _send_job(printer)
    return Answer(b"", headers=dict(NO_STORE), content_type=XML)


async def _send_job(printer: KnownPrinter) -> Answer:
    # One that asks says nothing of its paper: its last result stands.
    await known_printers.save_state(printer, PrinterState.READY if printer.state.can_print else printer.state)
    job = await claims.claim_job(printer)
    if job is None:
        return Answer(b"", headers=dict(NO_STORE), content_type=XML)
    commands = (await claims.send_job(printer, job, _encode)).hex()
    document = JOB.format(id=job.id, namespace=EPOS_NAMESPACE, commands=commands)
    return Answer(document.encode(), headers=dict(NO_STORE), content_type=XML)


async def _save_results(printer: KnownPrinter, document: str) -> None:
    for result in _parse_xml(document).iter("ePOSPrint"):
        job_id = parse_id(result.findtext("Parameter/printjobid"))
        response = result.find(f"PrintResponse/{{{EPOS_NAMESPACE}}}response")
        if response is None:
            response = result.find("PrintResponse/response")
        if job_id is None or response is None:
            continue
        if response.get("success") in {"true", "1"}:
            await known_printers.save_state(printer, PrinterState.READY)
            await claims.confirm_job(printer, job_id)
        else:
            reason = response.get("code") or claims.NO_REASON
            await known_printers.save_state(printer, STATES.get(reason, PrinterState.ERROR))
            await claims.refuse_job(printer, job_id, reason)


def _encode(slip: Slip, paper: Paper) -> bytes:
    return encode(slip, paper, ESCPOS)


def _read_form(body: bytes) -> dict[str, str]:
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError as error:
        raise BadRequest("The body is not a form of a printer.") from error


def _parse_xml(document: str) -> Element:
    if "<!" in document:
        raise BadRequest("The result must not declare entities.")
    try:
        return fromstring(document.encode())  # noqa: S314 - bounded, and without entities
    except ParseError as error:
        raise BadRequest("The result is not valid XML.") from error
