"""The access token of a member of staff."""

from datetime import timedelta
from typing import Final

from comanda.contracts.callers import CallerKind

from comanda_staff.api import get_names

STAFF: Final = CallerKind(code="staff", prefix="stf_", lifetime=timedelta(days=30), is_sliding=True, names=get_names)
