"""XML as authorities take it: the same elements give the same bytes, and schemas are asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from lxml import etree
from lxml.builder import ElementMaker

XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
TYPE: Final = f"{{{XSI}}}type"
"""The attribute that names the type of an element (XML Schema part 1, section 2.6.1)."""
MOST: Final = 5
"""How many faults of one document are told."""


class SchemaError(ValueError):
    """The authority's schema is not where it was said to be; the text says what to do."""


def maker(namespace: str | None = None) -> ElementMaker:
    """A maker of elements in a namespace, or in none."""
    return ElementMaker(
        namespace=namespace, nsmap={None: namespace, "xsi": XSI} if namespace else {}
    )


def to_bytes(root: Any) -> bytes:
    """A document in UTF-8, an element a line."""
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True))


class Schemas:
    """The schemas in a folder, each read when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, Any] = {}

    def faults(self, name: str, content: bytes) -> Iterator[str]:
        """Why a document does not meet a schema, in its words, a few at most.

        Raises `SchemaError` where the folder has no such schema.
        """
        schema = self._read.get(name) or self._load(name)
        if not schema.validate(etree.fromstring(content)):
            yield from (f"line {e.line}: {e.message}" for e in list(schema.error_log)[:MOST])

    def _load(self, name: str) -> Any:
        path = self._folder / name
        try:
            self._read[name] = etree.XMLSchema(etree.parse(path))
        except (OSError, etree.XMLSyntaxError, etree.XMLSchemaParseError):
            raise SchemaError(
                f"There is no schema {name} in {self._folder}: put the authority's own file there."
            ) from None
        return self._read[name]
