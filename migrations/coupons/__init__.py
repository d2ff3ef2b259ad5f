"""The migrations of coupons, numbered by aerich and reviewed by people."""
