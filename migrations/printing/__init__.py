"""The migrations of printing, numbered by aerich and reviewed by people."""
