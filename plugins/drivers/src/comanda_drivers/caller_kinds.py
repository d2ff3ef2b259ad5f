"""The caller kind of drivers."""

from datetime import timedelta
from typing import Final

from comanda.contracts import CallerKind

DRIVER: Final = CallerKind(code="driver", prefix="drv_", lifetime=timedelta(days=30), is_sliding=True, is_audited=False)
