"""Workbooks that people bring."""

import io
import zipfile

import pytest
from comanda.basics.errors import BadRequest
from comanda.basics.workbooks import read_workbook

NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORKBOOK = f"""<workbook xmlns="{NAMESPACE}" xmlns:r="{OFFICE}">
    <sheets><sheet name="M" sheetId="2" r:id="r7"/></sheets></workbook>"""
RELATIONS = '<Relationships><Relationship Id="r7" Target="worksheets/sheet2.xml"/></Relationships>'


def to_workbook(rows, texts="", head=""):
    parts = {
        "xl/workbook.xml": WORKBOOK, "xl/_rels/workbook.xml.rels": RELATIONS,
        "xl/sharedStrings.xml": f'<sst xmlns="{NAMESPACE}">{texts}</sst>',
        "xl/worksheets/sheet2.xml": f'{head}<worksheet xmlns="{NAMESPACE}"><sheetData>{rows}</sheetData></worksheet>',
    }  # fmt: skip
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return raw.getvalue()


def test_values_are_read_as_a_person_sees_them():
    texts = "<si><t>Süß</t></si><si><r><t>Ri</t></r><r><t>ch</t></r><rPh><t>hint</t></rPh></si>"
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>'
        '<c r="D1" t="inlineStr"><is><t>x</t></is></c></row>'
        '<row r="3"><c r="A3"><v>4.2000000000000002</v></c><c r="B3" t="b"><v>1</v></c><c r="C3" s="4"/>'
        '<c r="D3"><f>A3*2</f><v>5601234567890</v></c><c r="AA3" t="str"><v>=x</v></c></row>'
    )

    first, second = read_workbook(to_workbook(rows, texts))

    assert first == (1, ["Süß", "Rich", "", "x"])
    line, cells = second
    assert (line, cells[:4], len(cells), cells[-1]) == (
        3, ["4.2", "true", "", "5601234567890"], 27, "=x",
    )  # fmt: skip


CELL = "<c><v>1</v></c>"


@pytest.mark.parametrize(
    "raw",
    [
        b"PK\x03\x04 is no archive",
        b"PK\x03\x04" + b"PK\x01\x02" * 90_000,
        to_workbook(" " * 50_000_000),
        to_workbook(f"<row>{CELL * 50_000}</row>"),
        to_workbook('<row><c r="XFD1"><v>1</v></c></row>'),
        to_workbook('<row><c t="s"><v>0</v></c></row>' * 3, f"<si><t>{'x' * 2_000_000}</t></si>"),
        to_workbook("<row><c><v>&a;</v></c></row>", head='<!DOCTYPE x [<!ENTITY a "b">]>'),
        to_workbook("<row>"),
    ],
    ids=["nothing", "parts", "bomb", "cells", "columns", "texts", "entities", "xml"],
)
def test_archives_beyond_the_limits_are_refused(raw):
    with pytest.raises(BadRequest, match="This workbook"):
        read_workbook(raw)
