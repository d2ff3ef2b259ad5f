"""Routes of the hotel vertical."""
