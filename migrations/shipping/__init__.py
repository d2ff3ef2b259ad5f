"""The migrations of shipping, numbered by aerich and reviewed by people."""
