"""The migrations of analytics, numbered by aerich and reviewed by people."""
