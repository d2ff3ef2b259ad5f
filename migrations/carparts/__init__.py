"""The migrations of carparts, numbered by aerich and reviewed by people."""
