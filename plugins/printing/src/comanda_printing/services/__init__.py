"""What the plugin does with printers and jobs."""
