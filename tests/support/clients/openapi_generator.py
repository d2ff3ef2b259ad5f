"""Place an order with the client that openapi-generator has made: openapi_generator.py SITE TOKEN STORE ITEM."""

import json
import sys

import openapi_client as comanda

site, token, store, item = sys.argv[1:]
order = comanda.OrderBody(type="takeaway", items=[comanda.LineBody(item_id=int(item), quantity=2)])
with comanda.ApiClient(comanda.Configuration(host=site, access_token=token)) as client:
    menu = comanda.MenuApi(client).get_restaurants_id_menu(store)
    placed = comanda.OrdersApi(client).post_restaurants_id_orders(store, order)
    tracked = comanda.PublicApi(client).get_track_token(placed.track_token)
names = [each.name for category in menu for each in category.items]
print(json.dumps([names, placed.total, tracked.status]))
