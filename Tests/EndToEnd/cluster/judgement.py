"""Reads the evidence and says what is wrong."""

from cluster.accounts_judge import AccountsJudge
from cluster.answers_judge import AnswersJudge
from cluster.checks_judge import ChecksJudge
from cluster.limits_judge import LimitsJudge
from cluster.messages_judge import MessagesJudge
from cluster.sends_judge import SendsJudge


class Judgement:
    """What every judge has found, and what each has looked at, so that nothing passes for want of evidence."""

    JUDGES = [ChecksJudge, SendsJudge, LimitsJudge, MessagesJudge, AccountsJudge, AnswersJudge]

    def __init__(self, evidence):
        self.findings = []
        # What was judged: words by count.
        self.counts = {}
        self.notes = []
        self.asked = set()
        for judge in self.JUDGES:
            one = judge(evidence)
            one.judge()
            self.findings += one.findings
            self.counts.update(one.counts)
            self.notes += one.notes
            self.asked |= one.asked
