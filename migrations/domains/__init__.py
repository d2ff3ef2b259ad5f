"""The migrations of domains, numbered by aerich and reviewed by people."""
