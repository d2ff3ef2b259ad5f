"""Tokens: issued, exchanged, refreshed, looked up and revoked."""
