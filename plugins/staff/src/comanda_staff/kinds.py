"""The token that a member of staff holds."""

from datetime import timedelta
from typing import Final

from comanda.accounts.kinds import CallerKind

STAFF: Final = CallerKind(code="staff", prefix="stf_", lifetime=timedelta(days=30), is_sliding=True)
