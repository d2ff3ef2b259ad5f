"""The blueprint of the pages of invitations and invoices."""

from comanda.contracts import Pages
from quart import Blueprint

from comanda_reseller.pages import invitations, invoices

blueprint = Blueprint(
    "reseller", __name__, template_folder="templates", static_folder="static", static_url_path="/reseller/static"
)
blueprint.add_url_rule("/reseller/invoices/<int:invoice_id>", view_func=invoices.show_invoice)
blueprint.add_url_rule("/reseller/invoices/<int:invoice_id>.pdf", view_func=invoices.show_invoice_pdf)
blueprint.add_url_rule("/reseller/invitations/<secret>", view_func=invitations.show_invitation)
blueprint.add_url_rule("/reseller/invitations/<secret>", view_func=invitations.accept_invitation, methods=["POST"])

pages = Pages(blueprint, secret_paths=("/reseller/invitations/",))
