"""The services of laundries."""
