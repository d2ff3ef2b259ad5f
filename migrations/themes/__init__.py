"""The migrations of themes, numbered by aerich and reviewed by people."""
