"""The migrations of customers, numbered by aerich and reviewed by people."""
