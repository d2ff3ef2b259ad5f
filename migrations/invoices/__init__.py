"""The migrations of invoices, numbered by aerich and reviewed by people."""
