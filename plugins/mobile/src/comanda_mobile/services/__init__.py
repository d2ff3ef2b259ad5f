"""What the mobile shell needs from the server."""
