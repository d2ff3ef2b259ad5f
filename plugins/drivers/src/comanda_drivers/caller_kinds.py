"""The caller kind of drivers."""

from datetime import timedelta
from typing import Final

from comanda.contracts import CallerKind
from comanda.web import translate_error

DRIVER: Final = CallerKind(
    code="driver",
    prefix="drv_",
    lifetime=timedelta(days=30),
    is_sliding=True,
    is_audited=False,
    translate_error=translate_error,
)
