"""The API reference at /docs: Swagger UI's own files, from a wheel, over the live OpenAPI description."""

from importlib.resources import files
from pathlib import Path

from quart import Blueprint, Response, render_template, send_from_directory

blueprint = Blueprint(
    "docs", __name__, url_prefix="/docs", template_folder="templates", static_folder="static", static_url_path="/own"
)

# Only the files are used; importing the package would bring Flask views that we have no use for.
SWAGGER_UI = Path(str(files("flask_swagger_ui"))) / "dist"
SERVED = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")

# Swagger UI sets styles on elements and draws its icons from data addresses.
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"


@blueprint.get("/")
async def reference() -> Response:
    """Show the API reference."""
    response = Response(await render_template("docs.html"))
    response.headers["Content-Security-Policy"] = POLICY
    return response


@blueprint.get("/ui/<name>")
async def ui_file(name: str) -> Response:
    """Serve one of Swagger UI's files."""
    response = await send_from_directory(SWAGGER_UI, name if name in SERVED else "missing")
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response
