"""The migrations of rental, numbered by aerich and reviewed by people."""
