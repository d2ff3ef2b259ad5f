"""The migrations of loyalty, numbered by aerich and reviewed by people."""
