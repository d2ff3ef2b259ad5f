"""Routes of printers, for owners and for the printers themselves."""
