"""The page of the till, a client of the staff's API."""
