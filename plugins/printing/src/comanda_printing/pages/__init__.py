"""The pages of printers."""
