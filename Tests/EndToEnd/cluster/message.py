"""A message that the gateway took."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Message:
    sid: str
    to: str
    body: str
    # Milliseconds since 1970.
    arrived: int

    @property
    def code(self):
        found = re.search(r"\b(\d{8})\b", self.body)
        return found.group(1) if found else None
