"""Routes for owners to manage installed apps."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_marketplace.records import InstalledApp, PeriodCharge, Usage
from comanda_marketplace.schemas import InstallationChange
from comanda_marketplace.services.installations import installations

routes = Routes("App installations")

INSTALLATION = "/app-installations/{id}"


@routes.get("/app-installations", scope="apps:read")
async def list_installations(caller: Caller, page: PageRequest) -> RecordPage[InstalledApp]:
    """List the apps that are installed on your account, newest first, 20 per page."""
    return await installations.list_installations(caller, page)


@routes.get(INSTALLATION, scope="apps:read")
async def get_installation(caller: Caller, id: int) -> InstalledApp:
    """Get an installation, also one that has ended."""
    return await installations.get_installation(caller, id)


@routes.patch(INSTALLATION, scope="apps:write")
async def update_installation(caller: Caller, id: int, body: InstallationChange) -> InstalledApp:
    """Set the most that an app's usage may cost in a calendar month (UTC); null removes the cap."""
    return await installations.update_cap(caller, id, body)


@routes.delete(INSTALLATION, scope="apps:write")
async def uninstall_app(caller: Caller, id: int) -> None:
    """Uninstall an app. Its tokens stop working immediately, and 48 hours later it is asked to erase your data."""
    await installations.uninstall(caller, id)


@routes.get(INSTALLATION + "/usage", scope="apps:read")
async def list_installation_usage(caller: Caller, id: int, page: PageRequest) -> RecordPage[Usage]:
    """List the usage that the app has charged to your wallet, newest first, 20 per page."""
    return await installations.list_usage(caller, id, page)


@routes.get(INSTALLATION + "/charges", scope="apps:read")
async def list_installation_charges(caller: Caller, id: int, page: PageRequest) -> RecordPage[PeriodCharge]:
    """List the periods of a recurring app that you have paid, newest first, 20 per page."""
    return await installations.list_charges(caller, id, page)


@routes.post(INSTALLATION + "/pay", scope="apps:write", status=200)
async def pay_installation(caller: Caller, id: int) -> InstalledApp:
    """Pay what is past due now. What the app granted is restored; 402 if your wallet does not cover it.

    If nothing is due, nothing changes.
    """
    return await installations.pay(caller, id)


@routes.post(INSTALLATION + "/accept-terms", scope="apps:write", status=200)
async def accept_installation_terms(caller: Caller, id: int) -> InstalledApp:
    """Accept the price that the app charges now, its ``new_terms``, from the next charge on."""
    return await installations.accept_terms(caller, id)
