"""The migrations of closings, numbered by aerich and reviewed by people."""
