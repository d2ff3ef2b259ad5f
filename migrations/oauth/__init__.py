"""The migrations of oauth, numbered by aerich and reviewed by people."""
