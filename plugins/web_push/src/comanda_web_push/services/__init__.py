"""The services of web push."""
