"""Lists of orders: found by filter and text, counted, paged and exported."""
