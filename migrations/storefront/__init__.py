"""The migrations of storefront, numbered by aerich and reviewed by people."""
