"""The contents of a menu as they are read, and its JSON for owners and guests."""
