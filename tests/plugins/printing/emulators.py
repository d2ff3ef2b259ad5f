"""Printers that speak their makers' protocols, and paper that can be read."""

import asyncio
import re
import socket
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode
from xml.etree.ElementTree import fromstring

PORTS = range(9100, 9108)
# Every command of both families that slips use; pictures are replaced by their size.
RASTER = re.compile(rb"(?:\x1dv0\x00|\x1b\x1dS\x01)(..)(..)", re.DOTALL)
COMMANDS = re.compile(
    rb"\x1b@|\x1c\.|\x1b\x1dt.|\x1bt.|\x1bE[\x00\x01]|\x1b[EF45]|\x1d!.|\x1dB[\x00\x01]|\x1bi..|\x1dVB\x00|\x1bd\x03"
    rb"|\x1bp\x00..|\x1b\x07..\x07|\x1b\(A\x04\x00....|\x1b\x1d\x19.....?.?|\x1dr\x01",
    re.DOTALL,
)


def read_paper(document, code_page="cp858"):
    """Return the rows that a printer prints of its commands; pictures are rows such as ``[576x30]``."""
    rows, position = [], 0
    while found := RASTER.search(document, position):
        rows.append(document[position : found.start()])
        width, height = (int.from_bytes(found[number], "little") for number in (1, 2))
        rows.append(f"[{width * 8}x{height}]\n".encode())
        position = found.end() + width * height + (document[found.start() : found.start() + 2] == b"\x1b\x1d")
    rows.append(document[position:])
    return COMMANDS.sub(b"", b"".join(rows)).decode(code_page).splitlines()


@contextmanager
def taken_port():
    """Hold a port of printers at which nothing listens; a port that was let go is soon another test's printer."""
    with socket.socket() as holder:
        for port in PORTS:
            try:
                holder.bind(("127.0.0.1", port))
            except OSError:
                continue
            yield port
            return
    raise OSError("all ports of printers are taken")


@dataclass
class CloudPrinter:
    """A printer of Star: it polls, fetches what is ready, prints, and confirms."""

    client: object
    url: str
    media_type: str = "application/vnd.star.starprnt"
    status: str = "200%20OK"
    papers: list = field(default_factory=list)

    @property
    def path(self):
        return "/" + self.url.split("/", 3)[3]

    async def poll(self):
        body = {"statusCode": self.status, "printerMAC": "00:11:62:00:00:01"}
        response = await self.client.post(self.path, json=body)
        assert response.status_code == 200, await response.get_data()
        return await response.get_json()

    async def fetch(self, token):
        response = await self.client.get(f"{self.path}?{urlencode({'type': self.media_type, 'token': token})}")
        if response.status_code == 200:
            self.papers.append(await response.get_data())
        return response

    async def confirm(self, token, code="200 OK"):
        return await self.client.delete(f"{self.path}?{urlencode({'code': code, 'token': token})}")

    async def run(self):
        """Print everything that waits, and return it as rows."""
        rows = []
        while (ready := await self.poll())["jobReady"]:
            assert self.media_type in ready["mediaTypes"]
            await self.fetch(ready["jobToken"])
            await self.confirm(ready["jobToken"])
            rows.append(read_paper(self.papers[-1]))
        return rows


@dataclass
class EpsonPrinter:
    """A printer of Epson with Server Direct Print."""

    client: object
    url: str
    papers: list = field(default_factory=list)

    async def send(self, **form):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({"ID": "printer", "Name": "TM-m30", **form})
        return await self.client.post("/" + self.url.split("/", 3)[3], data=body, headers=headers)

    async def fetch(self):
        """Return the id of the next job, or None."""
        response = await self.send(ConnectionType="GetRequest")
        assert response.status_code == 200
        document = await response.get_data(as_text=True)
        if not document:
            return None
        root = fromstring(document)
        command = next(each for each in root.iter() if each.tag.endswith("command"))
        self.papers.append(bytes.fromhex(command.text))
        return root.findtext("ePOSPrint/Parameter/printjobid")

    async def answer(self, job_id, success="true", code=""):
        result = (
            '<?xml version="1.0" encoding="UTF-8"?><PrintResponseInfo Version="2.00"><ePOSPrint><Parameter>'
            f"<devid>local_printer</devid><printjobid>{job_id}</printjobid></Parameter><PrintResponse>"
            f'<response success="{success}" code="{code}" status="251658262" battery="0"'
            ' xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"/></PrintResponse></ePOSPrint>'
            "</PrintResponseInfo>"
        )
        return await self.send(ConnectionType="SetResponse", ResponseFile=result)


class NetworkPrinter:
    """A printer that takes ESC/POS over TCP; it answers GS r unless it is silent."""

    def __init__(self):
        self.papers, self.is_silent, self.state = [], False, b"\x00"

    async def __aenter__(self):
        for port in PORTS:
            try:
                self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
            except OSError:
                continue
            self.address = f"127.0.0.1:{port}"
            return self
        raise OSError("all ports of printers are taken")

    async def __aexit__(self, *_):
        self._server.close()

    async def _serve(self, reader, writer):
        document = b""
        while not document.endswith(b"\x1dr\x01") and (part := await reader.read(65536)):
            document += part
        self.papers.append(document)
        if not self.is_silent:
            writer.write(self.state)
        writer.close()
