"""Routes of the invoices plugin."""
