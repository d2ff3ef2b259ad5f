"""Background tasks of staff."""

from comanda_staff.services import enrolment, lockout, login


async def prune() -> None:
    """Delete expired PIN attempts, known devices and enrolment requests."""
    await lockout.delete_expired_attempts()
    await login.delete_stale_devices()
    await enrolment.delete_expired_requests()
