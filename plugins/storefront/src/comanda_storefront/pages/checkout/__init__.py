"""The order on a store's page: options, times, quotes and payment."""
