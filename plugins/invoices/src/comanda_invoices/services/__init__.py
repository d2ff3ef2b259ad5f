"""Services of the invoices plugin."""
