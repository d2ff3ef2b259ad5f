"""Calendars of rooms: what other platforms read here, and the bookings that are read from them."""
