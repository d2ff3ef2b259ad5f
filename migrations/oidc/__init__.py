"""The migrations of oidc, numbered by aerich and reviewed by people."""
