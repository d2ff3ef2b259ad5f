"""Backups: one file that holds the database and what belongs to it in the data folder."""
