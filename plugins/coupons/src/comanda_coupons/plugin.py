"""Coupons: owners make them, storefront orders use them, each use counted once."""
