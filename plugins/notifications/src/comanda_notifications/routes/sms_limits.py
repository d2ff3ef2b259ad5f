"""The limits of an owner's SMS."""

from comanda.contracts import Caller, Routes

from comanda_notifications.records import SmsLimits
from comanda_notifications.schemas import SmsLimitsBody
from comanda_notifications.services import sms_limits

routes = Routes("Messages")


@routes.get("/sms-limits", scope="restaurants:read")
async def get_sms_limits(caller: Caller) -> SmsLimits:
    """Return the monthly limit and the quiet hours of your SMS, and how many were sent this month."""
    return await sms_limits.get_limits(caller)


@routes.put("/sms-limits", scope="restaurants:write")
async def update_sms_limits(caller: Caller, body: SmsLimitsBody) -> SmsLimits:
    """Set the monthly limit and the quiet hours of your SMS; what is left out is taken off."""
    return await sms_limits.update_limits(caller, body)
