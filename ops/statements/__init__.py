"""Mappings of statements that providers give out; another provider, or account, is another file.

- `stripe`: the itemized balance change from activity, moments in UTC, categories tell the way
- `paypal-it`: the activity download in Italian, with its byte order mark, decimal comma, and a time
  zone in each line
- `bank-it`: an account statement as Italian banks export it, credit and debit apart, days alone,
  the payment's reference inside of the description
"""

from importlib.resources import files
from typing import Final

PACKAGED: Final = ("bank-it", "paypal-it", "stripe")


def packaged(name: str) -> bytes:
    """The text of a packaged mapping; raise `KeyError` when there is none of that name."""
    if name not in PACKAGED:
        raise KeyError(name)
    return (files(__name__) / f"{name}.json").read_bytes()
