"""The queues of the installation for administrators: what waits, what fails, and what was given up."""

from dataclasses import dataclass
from typing import Any, Final

from comanda.basics import ComandaError, NotFound, require_found
from comanda.contracts import Audience, Caller, LeasedQueue, PageRequest, parse_id
from comanda.platform import runtime
from comanda.platform.events import CHANNEL as OUTBOX
from comanda.platform.queue import QueueState, dead_letters, measure_queue
from comanda.web import gettext as _
from comanda.web import ngettext
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from quart import Response

from comanda_dashboard.pages import dashboard

ROWS_PER_PAGE: Final = 50
# A queue is behind when a row has been due for longer.
OVERDUE_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A queue of a plugin and what is in it."""

    name: str
    plugin: str
    state: QueueState

    @property
    def has_failures(self) -> bool:
        """Whether rows have failed or were given up."""
        return bool(self.state.dead or self.state.failing)

    @property
    def is_behind(self) -> bool:
        """Whether rows have been due for too long, such as because no worker runs."""
        return self.state.overdue_seconds > OVERDUE_SECONDS


@dashboard.get("/administration/queues", scope=None, audience=Audience.ADMINISTRATOR)
async def list_queues(visit: Visit) -> Response:
    """Show the outbox and all queues."""
    return await visit.render("dashboard/administration/queues.html", **await _load_overview())


@dashboard.get("/administration/queues/live", scope=None, audience=Audience.ADMINISTRATOR)
async def show_live_queues(visit: Visit) -> Response:
    """Return the part of the page that is kept current."""
    return await visit.answer_fragment("dashboard/administration/_queues.html", **await _load_overview())


@dashboard.get("/administration/queues/of/<name>", scope=None, audience=Audience.ADMINISTRATOR)
async def show_queue(visit: Visit, name: str) -> Response:
    """Show the rows of a queue that were given up, and those that failed and are tried again."""
    queue = _get_queue(name)
    numbers = visit.query("page")
    dead = await dead_letters.list_dead_letters(queue, PageRequest.read({**numbers, "per_page": str(ROWS_PER_PAGE)}))
    failing = await dead_letters.list_failing_rows(queue, PageRequest(1, ROWS_PER_PAGE))
    return await visit.render(
        "dashboard/administration/queue.html",
        queue=QueueRow(name, runtime.registry().plugin_of(queue), await measure_queue(queue.table)),
        dead=dead,
        failing=failing,
        may_retry=dead_letters.may_retry(queue),
        may_discard=dead_letters.may_discard(queue),
        format_duration=format_duration,
    )


@dashboard.post("/administration/queues/of/<name>/retry", scope=None, audience=Audience.ADMINISTRATOR)
async def retry_dead_letter(visit: Visit, name: str) -> Response:
    """Try a row that was given up again."""
    return await _act(visit, name, dead_letters.retry_dead_letter, _("It will be tried again now."))


@dashboard.post("/administration/queues/of/<name>/retry-failing", scope=None, audience=Audience.ADMINISTRATOR)
async def retry_failing_row(visit: Visit, name: str) -> Response:
    """Try a row that failed again now instead of later."""
    return await _act(visit, name, dead_letters.retry_failing_row, _("It will be tried again now."))


@dashboard.post("/administration/queues/of/<name>/discard", scope=None, audience=Audience.ADMINISTRATOR)
async def discard_dead_letter(visit: Visit, name: str) -> Response:
    """Discard a row that was given up."""
    return await _act(visit, name, dead_letters.discard_dead_letter, _("Discarded."))


@dashboard.post("/administration/queues/of/<name>/retry-all", scope=None, audience=Audience.ADMINISTRATOR)
async def retry_dead_letters(visit: Visit, name: str) -> Response:
    """Try the newest rows that were given up again."""
    done, refused = await dead_letters.retry_dead_letters(visit.caller, _get_queue(name))
    notice = ngettext("%(num)s is tried again.", "%(num)s are tried again.", done)
    if refused:
        cannot = ngettext("%(num)s cannot be tried again.", "%(num)s cannot be tried again.", refused)
        notice = f"{notice} {cannot}"
    return visit.redirect(f"/administration/queues/of/{name}", notice=notice)


async def load_queues() -> list[QueueRow]:
    """Return all queues with what is in them, those with dead letters first."""
    registry = runtime.registry()
    rows = [
        QueueRow(queue.name, registry.plugin_of(queue), await measure_queue(queue.table)) for queue in registry.queues
    ]
    return sorted(rows, key=lambda row: (not row.state.dead, not row.state.failing, not row.is_behind, row.name))


def format_duration(seconds: float) -> str:
    """Return a duration in its largest unit: 40 seconds, 3 hours."""
    if seconds < 60:
        return ngettext("%(num)s second", "%(num)s seconds", int(seconds))
    if seconds < 3600:
        return ngettext("%(num)s minute", "%(num)s minutes", int(seconds // 60))
    if seconds < 86400 * 2:
        return ngettext("%(num)s hour", "%(num)s hours", int(seconds // 3600))
    return ngettext("%(num)s day", "%(num)s days", int(seconds // 86400))


async def _load_overview() -> dict[str, Any]:
    queues = await load_queues()
    return {
        "queues": queues,
        "outbox": next((queue for queue in queues if queue.name == OUTBOX), None),
        "dead": sum(queue.state.dead for queue in queues),
        "failing": sum(queue.state.failing for queue in queues),
        "format_duration": format_duration,
    }


def _get_queue(name: str) -> LeasedQueue:
    return require_found(next((queue for queue in runtime.registry().queues if queue.name == name), None))


async def _act(visit: Visit, name: str, act: Any, notice: str) -> Response:
    """Do something with the row that the form names, and show the queue again."""
    queue, to = _get_queue(name), f"/administration/queues/of/{name}"
    texts = await visit.read_texts()
    owner_id, row_id = (parse_id(texts.get(field)) or 0 for field in ("owner_id", "row_id"))
    caller: Caller = visit.caller
    try:
        await act(caller, queue, owner_id, row_id)
    except NotFound:
        return visit.redirect(to, problem=_("It is no longer there. Perhaps it was tried again meanwhile."))
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        return visit.redirect(to, problem=get_sentence(error))
    return visit.redirect(to, notice=notice)
