"""One fault, and when it was."""

import dataclasses


@dataclasses.dataclass
class Fault:
    """Moments are milliseconds since 1970."""

    name: str
    # The instances that it struck; none of them where it struck the proxy before them.
    instances: tuple
    # Whether a message may be sent twice for it: where an instance cannot say for as long as a lease what came of one.
    doubles: bool
    begin: int = 0
    # When it was over; what it left behind may take longer.
    end: int = 0

    def __str__(self):
        return self.name

    def covers(self, moment, slack):
        """Whether it can have had a part in what happened at this moment."""
        return self.begin - slack <= moment <= self.end + slack
