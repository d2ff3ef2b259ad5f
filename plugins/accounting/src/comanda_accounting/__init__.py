"""Accounting: closed days as files for bookkeeping."""
