"""The routes of coupons."""
