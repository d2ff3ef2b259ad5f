"""Orders that guests bought elsewhere: what plugins that bring them in share, in ``api``, and a chapter about it."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Orders of delivery platforms: whose prices count, what is refused, what is recorded."
    return [Chapter("channels", "Delivery platforms", summary, "comanda_foreign_orders", "docs/channels.md")]
