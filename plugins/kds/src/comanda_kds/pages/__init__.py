"""The kitchen screen."""
