"""Ways of owners to sign in beside their password, and what guards them."""
