"""The laundry vertical."""
