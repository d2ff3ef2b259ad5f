"""Tool hire: tools by the day, with deposits, bookings and late fees."""
