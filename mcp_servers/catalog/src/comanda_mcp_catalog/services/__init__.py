"""Search of listed stores and of what they sell."""
