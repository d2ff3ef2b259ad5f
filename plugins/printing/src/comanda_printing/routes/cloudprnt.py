"""Star CloudPRNT: the printer polls with its state, gets a job in a form that it chooses, and confirms it.

Source: Star CloudPRNT Protocol Guide 2.4, CloudPRNT HTTP Method.
"""

from typing import Any, Final
from urllib.parse import unquote

import orjson
from comanda.basics import BadRequest, require_found
from comanda.contracts import PUBLIC, Answer, Call, Routes, parse_id

from comanda_printing.models import PrinterKind, PrinterState
from comanda_printing.routes.limits import NO_STORE, admit_printer
from comanda_printing.services import claims, known_printers
from comanda_printing.services.layouts.commands import STARPRNT, encode
from comanda_printing.services.layouts.elements import Paper, Slip
from comanda_printing.services.layouts.raster import draw_slip

routes = Routes("Printers", callers=PUBLIC, prefix="", is_documented=False)

PATH = "/printers/cloudprnt/{code}"
STARPRNT_TYPE: Final = "application/vnd.star.starprnt"
PNG_TYPE: Final = "image/png"
MEDIA_TYPES: Final = (STARPRNT_TYPE, PNG_TYPE)
# With a picture the commands that it cannot express are headers.
PNG_HEADERS: Final = {"X-Star-Cut": "partial; feed=true"}
STATES: Final = {"410": PrinterState.PAPER_OUT, "420": PrinterState.COVER_OPEN, "211": PrinterState.PAPER_LOW}
# The printer did not understand the job, or gave up waiting for it: codes that say nothing of its state.
JOB_ERRORS: Final = ("5",)
MAX_TEXT: Final = 100


@routes.post(PATH, status=200)
async def poll(call: Call, code: str) -> Answer:
    """Save what a printer says of itself, and tell it whether a job waits."""
    printer = await admit_printer(call, code, PrinterKind.CLOUDPRNT)
    state = _parse_state(_read_status(call.body))
    await known_printers.save_state(printer, state)
    job = await claims.claim_job(printer) if state.can_print else None
    if job is None:
        return Answer({"jobReady": False}, headers=dict(NO_STORE))
    ready = {"jobReady": True, "mediaTypes": list(MEDIA_TYPES), "jobToken": str(job.id), "deleteMethod": "DELETE"}
    return Answer(ready, headers=dict(NO_STORE))


@routes.get(PATH)
async def get_job(call: Call, code: str) -> Answer:
    """Return the claimed job in the form that the printer chose. It may ask for the same job again."""
    printer = await admit_printer(call, code, PrinterKind.CLOUDPRNT)
    media_type = call.query.get("type", STARPRNT_TYPE)
    if media_type not in MEDIA_TYPES:
        return Answer(status=415, headers=dict(NO_STORE))
    job = require_found(await claims.find_held_job(printer, _parse_token(call)))
    document = await claims.send_job(printer, job, draw_slip if media_type == PNG_TYPE else _encode)
    more = PNG_HEADERS if media_type == PNG_TYPE else {}
    return Answer(document, headers={**NO_STORE, **more}, content_type=media_type)


@routes.delete(PATH, status=200)
async def confirm_job(call: Call, code: str) -> Answer:
    """Record whether a job was printed: codes that begin with 2 are a success."""
    printer = await admit_printer(call, code, PrinterKind.CLOUDPRNT)
    status = unquote(call.query.get("code", ""))[:MAX_TEXT]
    job_id = _parse_token(call)
    if job_id is None and (held := await claims.find_held_job(printer)) is not None:
        job_id = held.id
    if not status.startswith(JOB_ERRORS):
        await known_printers.save_state(printer, _parse_state(status))
    if job_id is not None and status.startswith("2"):
        await claims.confirm_job(printer, job_id)
    elif job_id is not None:
        await claims.refuse_job(printer, job_id, status or claims.NO_REASON)
    return Answer(b"", headers=dict(NO_STORE))


def _encode(slip: Slip, paper: Paper) -> bytes:
    return encode(slip, paper, STARPRNT)


def _read_status(body: bytes) -> str:
    try:
        document: Any = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError as error:
        raise BadRequest("The body is not valid JSON.") from error
    status = document.get("statusCode") if isinstance(document, dict) else None
    return unquote(status)[:MAX_TEXT] if isinstance(status, str) else ""


def _parse_state(status: str) -> PrinterState:
    """Return the state of a status such as ``200 OK`` or ``410 Out of paper``."""
    found = STATES.get(status[:3])
    if found is not None:
        return found
    return PrinterState.READY if status.startswith("2") else PrinterState.ERROR if status else PrinterState.UNKNOWN


def _parse_token(call: Call) -> int | None:
    return parse_id(call.query.get("token"))
