"""Ids in request bodies that refer to another plugin's rows, such as kitchen stations or customers.

A plugin whose rows others refer to registers a ``Reference``; the plugin that receives an id checks it with
``check_references``, without knowing who registered it. Ids of other owners or stores are refused like unknown ones.
"""

from collections.abc import Collection

from comanda.basics.errors import ValidationFailed
from comanda.platform import runtime
from comanda.platform.plugin_calls import call_plugin


async def check_references(name: str, field: str, owner_id: int, store_id: int, ids: Collection[int]) -> None:
    """Raise ``ValidationFailed`` on ``field`` unless the store has a row of this name for every id.

    If no installed plugin registers ``name``, there are no such rows.
    """
    requested = set(ids)
    if not requested:
        return
    reference = runtime.registry().references.get(name)
    found = (
        set(await call_plugin(reference, "existing", reference.existing, owner_id, store_id, requested))
        if reference is not None
        else set()
    )
    if missing := sorted(requested - found):
        raise ValidationFailed({field: [f"This store has no {name} {', '.join(map(str, missing))}."]})
