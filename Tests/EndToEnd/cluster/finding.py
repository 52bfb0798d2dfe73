"""Something that must not be."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Finding:
    rule: str
    text: str

    def __str__(self):
        return f"{self.rule}: {self.text}"
