"""The migrations of staff, numbered by aerich and reviewed by people."""
