"""The migrations of kds, numbered by aerich and reviewed by people."""
