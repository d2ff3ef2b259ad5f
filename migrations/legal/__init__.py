"""The migrations of legal, numbered by aerich and reviewed by people."""
