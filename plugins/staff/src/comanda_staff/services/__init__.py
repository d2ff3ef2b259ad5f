"""What the plugin does."""
