"""The migrations of drawer, numbered by aerich and reviewed by people."""
