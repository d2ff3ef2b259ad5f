"""Invoices and credit notes: issue, numbers, collection, reminders, and the documents that people read."""
