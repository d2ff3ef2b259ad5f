"""Backups: one file with the database and the files that belong to it in the data folder."""
