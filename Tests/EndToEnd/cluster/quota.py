"""A limit as the configuration has it."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Quota:
    """So many at once, and one more for each `interval` that passes."""

    count: int
    seconds: int

    def __str__(self):
        return f"{self.count}/{self.seconds}s"

    @property
    def interval(self):
        """Microseconds until one comes back, rounded up as the service does."""
        return -(-self.seconds * 1_000_000 // self.count)

    def most(self, milliseconds):
        """How many there may be among moments that are so far apart."""
        return self.count + milliseconds * 1000 // self.interval
