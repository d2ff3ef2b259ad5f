"""The floors: small programs that do only what cannot be left out, each in a process of its own."""
