"""The migrations of webhooks, numbered by aerich and reviewed by people."""
