"""What accounting does: bookings of closings, and their files."""
