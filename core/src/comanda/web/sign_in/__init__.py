"""Signing in: who is signed in, and the pages of an account."""
