"""The migrations of marketplace, numbered by aerich and reviewed by people."""
