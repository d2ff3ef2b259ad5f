"""Pages of laundries."""
