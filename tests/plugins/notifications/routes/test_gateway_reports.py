"""Reports of the gateway, as they come over the wire."""


async def test_wrong_or_large_report_is_refused(report, sent):
    assert await report("reports", {"id": sent["number"], "status": "eaten"}) == 422
    assert await report("reports", {"id": "x" * 20_000, "status": "failed"}) == 400
