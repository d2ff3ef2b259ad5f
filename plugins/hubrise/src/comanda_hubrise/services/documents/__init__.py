"""What HubRise says and is told: orders, catalogs, inventories, and the references in them."""
