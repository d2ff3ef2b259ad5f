"""What happens by the clock: tries and devices that count no longer are forgotten."""

from comanda_staff.services import enrolment, lockout, login


async def prune() -> None:
    """Forget wrong PINs, devices and requests that count no longer."""
    await lockout.prune()
    await login.forget_old_devices()
    await enrolment.prune()
