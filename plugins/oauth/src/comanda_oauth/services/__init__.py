"""What the authorization server does."""
