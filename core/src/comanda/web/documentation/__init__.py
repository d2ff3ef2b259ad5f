"""The guide and the reference of the API, as pages."""
