"""Sign-in of owners and staff by OpenID Connect."""
