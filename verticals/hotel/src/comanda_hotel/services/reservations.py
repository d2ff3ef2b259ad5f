"""The reservation of each stay in the store's list of reservations."""

from comanda_reservations import api

from comanda_hotel.models import Stay
from comanda_hotel.services.hotels import Hotel


async def create_reservation(hotel: Hotel, stay: Stay) -> int:
    """Create the reservation of a new stay in the open transaction and return its id. Emits ``ReservationCreated``."""
    return await api.create_stay(
        owner_id=hotel.owner_id,
        store_id=hotel.id,
        status=api.StayStatus(stay.status),
        guest_name=stay.guest_name,
        phone=stay.phone,
        email=stay.email,
        party_size=stay.adults + stay.children,
        starts_at=hotel.check_in_at(stay.check_in),
        ends_at=hotel.check_out_at(stay.check_out),
        note=stay.note,
        source=stay.source,
        customer_id=stay.customer_id,
    )


async def update_reservation(hotel: Hotel, stay: Stay) -> None:
    """Update the reservation of a stay in the open transaction. Emits ``ReservationCancelled`` on cancellation."""
    await api.update_stay(
        owner_id=hotel.owner_id,
        reservation_id=stay.reservation_id,
        status=api.StayStatus(stay.status),
        cancelled_by=None if stay.cancelled_by is None else api.CancelledBy(stay.cancelled_by),
        guest_name=stay.guest_name,
        phone=stay.phone or "",
        email=stay.email or "",
        party_size=stay.adults + stay.children,
        starts_at=hotel.check_in_at(stay.check_in),
        ends_at=hotel.check_out_at(stay.departed_on or stay.check_out),
        note=stay.note or "",
        customer_id=stay.customer_id,
    )


async def settle_deposit(stay: Stay, actor: str) -> None:
    """Refund, keep or use the deposit of a stay whose status has changed, in the open transaction."""
    await api.settle_stay_deposit(stay.owner_id, stay.reservation_id, actor, stay.total_minor)
