"""Routes under ``/app``."""
