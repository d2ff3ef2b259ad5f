"""The migrations of florist, numbered by aerich and reviewed by people."""
