"""Messages by SMS, e-mail and push, sent durably through transports."""
