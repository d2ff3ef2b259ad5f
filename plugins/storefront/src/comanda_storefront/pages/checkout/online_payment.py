"""Whether guests can pay their orders online."""

from comanda.platform import PluginFailed, call_plugin, runtime


async def can_pay_online(owner_id: int, store_id: int) -> bool:
    """Return whether the tracking page of a store's order offers to pay online."""
    payments = runtime.registry().online_payments
    if payments is None:
        return False
    try:
        return await call_plugin(payments, "is_offered", payments.is_offered, owner_id, store_id)
    except PluginFailed:
        return False
