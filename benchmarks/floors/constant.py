"""Floor of a read: a Quart route that answers constant bytes, as many as the second argument says."""

import sys

from quart import Quart, Response

from benchmarks.floors import serving

BYTES = b'"' + b"x" * (int(sys.argv[2]) - 2) + b'"'

app = Quart(__name__)


@app.get("/")
@app.post("/mcp")
async def constant() -> Response:
    """Answer."""
    return Response(BYTES, mimetype="application/json")


if __name__ == "__main__":
    serving.run(app)
