"""An app that exists for the tests of the migration runner: trees and what was picked from them."""
