"""The migrations of languages, numbered by aerich and reviewed by people."""
