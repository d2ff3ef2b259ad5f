"""What providers are asked and what they report: hosted pages, calls, webhooks, checks, and disputes."""
