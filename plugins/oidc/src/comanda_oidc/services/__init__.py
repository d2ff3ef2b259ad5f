"""Signing in by OpenID Connect: providers, flows in browsers, and identities."""
