"""The migrations of collection, numbered by aerich and reviewed by people."""
