"""The migrations of the till, numbered by aerich and reviewed by people."""
