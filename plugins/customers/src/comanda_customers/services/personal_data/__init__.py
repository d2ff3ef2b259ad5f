"""What customers may ask about their data: consents, export, and erasure."""
