"""Tortoise as this platform needs it: statements that name the owner, a faster start, and less memory."""
