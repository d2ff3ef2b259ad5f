"""The car-parts vertical, and which vehicles a part fits."""
