"""What happens by the clock: tries and devices that count no longer are forgotten."""

from comanda_staff.services import entering, guarding


async def prune() -> None:
    """Forget wrong PINs whose window is over, and devices that were not logged in on for too long."""
    await guarding.prune()
    await entering.forget_old_devices()
