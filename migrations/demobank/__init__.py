"""The migrations of demobank, numbered by aerich and reviewed by people."""
