"""The migrations of core, numbered by aerich and reviewed by people."""
