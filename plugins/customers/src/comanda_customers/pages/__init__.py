"""The pages of customers."""
