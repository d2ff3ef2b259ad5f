"""The SMS service of an owner. Apps and staff do not decide through whom messages go."""

from comanda.contracts import Caller, Routes

from comanda_apprise.records import OwnSmsService
from comanda_apprise.schemas import SmsServiceBody
from comanda_apprise.services import sms_services

routes = Routes("Messages")


@routes.get("/sms-service", scope="restaurants:read")
async def get_sms_service(caller: Caller) -> OwnSmsService:
    """Return the service that your SMS go through, and those that you can connect."""
    return await sms_services.get_service(caller)


@routes.put("/sms-service", scope="restaurants:write")
async def update_sms_service(caller: Caller, body: SmsServiceBody) -> OwnSmsService:
    """Connect your account at a service, so that your SMS go through it instead of the operator's."""
    return await sms_services.update_service(caller, body.url)


@routes.delete("/sms-service", scope="restaurants:write")
async def delete_sms_service(caller: Caller) -> None:
    """Disconnect your service, so that your SMS go through the operator's again."""
    await sms_services.delete_service(caller)
