"""The tables of printers and of what they print."""

from enum import StrEnum

from comanda.platform.db import StoreRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField


class PrinterKind(StrEnum):
    """How a printer gets its jobs: it polls with a protocol of its maker, is connected to, or is a browser's."""

    CLOUDPRNT = "cloudprnt"
    EPSON = "epson"
    ESCPOS_TCP = "escpos_tcp"
    BROWSER = "browser"


class PrinterState(StrEnum):
    """What a printer said of itself last."""

    UNKNOWN = "unknown"
    READY = "ready"
    PAPER_LOW = "paper_low"
    PAPER_OUT = "paper_out"
    COVER_OPEN = "cover_open"
    ERROR = "error"

    @property
    def can_print(self) -> bool:
        """Whether a printer in this state prints."""
        return self in {PrinterState.UNKNOWN, PrinterState.READY, PrinterState.PAPER_LOW}


class JobKind(StrEnum):
    """What a job prints."""

    KITCHEN = "kitchen"
    RECEIPT = "receipt"
    TEST = "test"


class Printer(StoreRow):
    """A printer of a store.

    ``code_hash`` is the SHA-256 of the code in the address that it polls. ``prints`` are kinds of jobs; without
    ``station_ids`` or ``modes`` it prints those of all. Its jobs go to ``fallback_id`` while it is silent.
    """

    name = fields.CharField(max_length=100)
    kind = fields.CharField(max_length=10)
    address = fields.CharField(max_length=60, null=True)
    width_mm = fields.SmallIntField()
    code_page = fields.CharField(max_length=10)
    language = fields.CharField(max_length=10)
    code_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    prints: fields.Field[list[str]] = ArrayField(element_type="text")
    station_ids: fields.Field[list[int]] = ArrayField(element_type="bigint")
    modes: fields.Field[list[str]] = ArrayField(element_type="text")
    copies = fields.SmallIntField()
    opens_drawer = fields.BooleanField()
    has_buzzer = fields.BooleanField()
    fallback_id = fields.BigIntField(null=True)
    state = fields.CharField(max_length=10)
    last_seen_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "printing_printer"


class Job(StoreRow):
    """Something to print, until its printer has confirmed it.

    ``facts`` are what its layout shows, as of the moment it was queued. ``routed_to_id`` is the printer that it was
    meant for; ``printer_id`` differs once it went to the fallback. ``sent_at`` is set while it is with a printer that
    has not answered, and a job that is sent again then becomes ``is_copy``, as it may be on paper already. It waits for
    its printer from ``print_at`` on; at ``next_attempt_at`` a worker looks after it.
    """

    printer_id = fields.BigIntField()
    routed_to_id = fields.BigIntField()
    kind = fields.CharField(max_length=10)
    order_id = fields.BigIntField(null=True)
    event_id = fields.BigIntField(null=True)
    line_ids: fields.Field[list[int]] = ArrayField(element_type="bigint")
    facts: fields.Field[dict[str, object]] = fields.JSONField()
    is_copy = fields.BooleanField(default=False)
    attempts = fields.IntField(default=0)
    print_at = fields.DatetimeField()
    sent_at = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)
    next_attempt_at = fields.DatetimeField(null=True)
    error = fields.CharField(max_length=500, null=True)
    confirmed_at = fields.DatetimeField(null=True)
    dead_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "printing_job"
