"""Reservations of tables, and the list of all reservations of a store."""
