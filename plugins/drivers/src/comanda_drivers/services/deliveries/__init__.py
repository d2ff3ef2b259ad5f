"""Deliveries: their status, what drivers read of them, and their proof."""
