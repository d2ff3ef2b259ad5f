"""Routes of laundries."""
