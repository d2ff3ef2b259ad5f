"""Requests about the brand of a reseller."""

from comanda.contracts import Email, ExactBody, Name, example


class ResellerBrandBody(ExactBody):
    """The brand of a reseller: ``name`` stands on the pages and e-mails of its customers, ``email`` answers them.

    Null is the installation's own.
    """

    model_config = example({"name": "Norte Digital", "email": "help@norte.example"})

    name: Name | None = None
    email: Email | None = None
