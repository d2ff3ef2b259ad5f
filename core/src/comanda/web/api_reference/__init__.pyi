from .openapi import api_routes as api_routes
