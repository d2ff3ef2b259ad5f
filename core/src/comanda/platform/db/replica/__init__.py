"""Reads from a replica of the database."""
