"""The migrations of payments, numbered by aerich and reviewed by people."""
