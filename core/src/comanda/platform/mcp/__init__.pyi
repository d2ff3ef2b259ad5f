from .store_selection import RestaurantArguments as RestaurantArguments
from .store_selection import select_store as select_store
