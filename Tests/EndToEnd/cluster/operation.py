"""One request and what came of it."""

import dataclasses


@dataclasses.dataclass
class Operation:
    """A request as its client saw it. Moments are milliseconds since 1970."""

    kind: str
    sent: int
    answered: int = 0
    # None where there was no response: nobody knows then whether it was done.
    status: int | None = None
    body: dict | None = None
    error: str | None = None
    number: str | None = None
    verification: str | None = None
    signup: str | None = None
    address: str | None = None
    code: str | None = None
    instance: str | None = None
    attempt: int = 1

    @property
    def is_known(self):
        """Whether the client knows what came of it."""
        return self.status is not None and self.status < 500

    @property
    def is_done(self):
        return self.status is not None and self.status < 300

    @property
    def problem(self):
        """The code of the error, if that is the answer."""
        return (self.body or {}).get("code") if self.status is not None and self.status >= 400 else None

    @property
    def shown(self):
        """The verification in the answer."""
        body = self.body or {}
        if "checks_left" in body and str(body.get("id", "")).startswith("ver_"):
            return body
        return body.get("verification") or (body.get("signup") or {}).get("verification")

    @property
    def account(self):
        """The account in the answer."""
        body = self.body or {}
        return body.get("account") or (body.get("signup") or {}).get("account")

    @property
    def outcome(self):
        """In one word, as reports count it."""
        if self.status is None:
            return self.error or "no answer"
        return self.problem or str(self.status)
