"""The hotel vertical: rooms, rates, stays, and service to a room."""
