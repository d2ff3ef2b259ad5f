"""Connections of a pool, which keep no state of a session between their users."""

from typing import Any

from comanda.platform import tracing
from comanda.platform.db.connections.keepalive import KeepaliveConnection


class PooledConnection(KeepaliveConnection):
    """A connection that is returned to the pool without resetting its session state.

    Our code leaves none behind: settings and advisory locks are per transaction, and LISTEN has its own connection. The
    reset would cost a round trip on every query.
    """

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        tracing.watch_statements(self)

    async def reset(self, **options: Any) -> None:
        """End a transaction that was left open; otherwise there is nothing to do."""
        if self.is_in_transaction():
            await super().reset(**options)

    def get_reset_query(self) -> str:
        """Return an empty statement."""
        return ""
