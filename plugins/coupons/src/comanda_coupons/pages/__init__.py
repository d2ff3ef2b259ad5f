"""The pages of coupons."""
