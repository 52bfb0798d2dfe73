"""What all judges are."""

from cluster.finding import Finding


class Judge:
    def __init__(self, evidence):
        self.evidence = evidence
        self.rules = evidence.rules
        self.findings = []
        self.counts = {}
        self.notes = []
        # The names of the rules that were looked at.
        self.asked = set()

    def require(self, holds, rule, text):
        self.asked.add(rule)
        if not holds:
            self.findings.append(Finding(rule, text))
