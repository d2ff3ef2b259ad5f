"""The routes of web push."""
