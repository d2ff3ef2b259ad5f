"""What the tests of all routes share within a pytest worker."""

from sweep import tally
from world import world

__all__ = ["tally", "world"]
