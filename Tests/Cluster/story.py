"""A short run in which all is well, made by hand, for tests of the judges."""

from evidence import Evidence, Fault, History, Message, Operation, Rules, Tables

BEGIN = 1_767_225_600_000
SERVED, GUIDED = "+821012345001", "+821012345002"
SERVER_OF, PERSON = "192.0.2.1", "192.0.2.2"
RIGHT, WRONG, OTHER = "11111111", "22222222", "33333333"


def verification(name, number, status="pending", checks_left=3, sends_left=2):
    return {"id": name, "phone_number": number, "status": status, "checks_left": checks_left, "sends_left": sends_left}


class Story:
    """A program has one number proven at the second try, and a person signs up with another. Tests spoil it."""

    def __init__(self):
        self.rules = Rules()
        self.operations, self.audit, self.messages = [], [], []
        self.faults = []
        self.verifications = [
            self._row("ver_1", SERVED, "local", "approved", 1, None),
            self._row("ver_2", GUIDED, "sgn_1", "approved", 2, "acc_1"),
        ]
        self.accounts = [{"id": "acc_1", "e164": GUIDED, "created_at": BEGIN + 4000, "created_by": "ver_2"}]
        self.rows = []
        self.signups = [{"id": "sgn_1", "phone_text": "", "verification_id": "ver_2", "is_complete": True}]
        self.activities = [
            {"e164": SERVED, "recent_sends": [BEGIN], "consecutive_failures": 0},
            {"e164": GUIDED, "recent_sends": [BEGIN + 3000], "consecutive_failures": 0},
        ]
        self.meters = []

        self.send(0, "ver_1", SERVED, SERVER_OF, RIGHT)
        self.ask("begin", 0, 201, verification("ver_1", SERVED), number=SERVED, address=SERVER_OF)
        self.note("mismatch", 1000, "ver_1", SERVER_OF)
        self.check(1000, WRONG, 422, {"code": "code_incorrect", "checks_left": 2})
        self.note("approve", 2000, "ver_1", SERVER_OF)
        self.check(2000, RIGHT, 200, verification("ver_1", SERVED, "approved", 1))
        self.ask("signup_begin", 2500, 201, {"id": "sgn_1", "token": "t"}, address=PERSON)
        self.send(3000, "ver_2", GUIDED, PERSON, OTHER, owner="sgn_1")
        shown = verification("ver_2", GUIDED)
        self.ask("signup_send", 3000, 202, {"verification": shown}, number=GUIDED, address=PERSON, signup="sgn_1")
        self.note("approve", 4000, "ver_2", PERSON, "sgn_1")
        self.note("sign_up", 4000, "ver_2", PERSON, "sgn_1")
        self.sign_up(4000)
        self.meters = [
            {"key": f"{name}-1h {subject}", "full_at": (BEGIN + moment) * 1000 + count * quota.interval}
            for name, subject, moment, count, quota in [
                ("address-sends", SERVER_OF, 0, 1, self.rules.address_sends),
                ("address-sends", PERSON, 3000, 1, self.rules.address_sends),
                ("address-checks", SERVER_OF, 1000, 2, self.rules.address_checks),
                ("address-checks", PERSON, 4000, 1, self.rules.address_checks),
                ("prefix-sends", SERVED[:-4], 0, 2, self.rules.prefix_sends),
            ]
        ]

    @staticmethod
    def _row(name, number, owner, status, checks_left, account):
        return {
            "id": name, "e164": number, "owner": owner, "created_at": BEGIN, "expires_at": BEGIN + 600_000,
            "sends_left": 2, "checks_left": checks_left, "status": status, "updated_at": BEGIN, "consumed_by": account,
        }

    def ask(self, kind, moment, status, body, **known):
        operation = Operation(kind, BEGIN + moment, BEGIN + moment + 10, status, body, instance="one", **known)
        self.operations.append(operation)
        return operation

    def check(self, moment, code, status, body, address=SERVER_OF):
        return self.ask("check", moment, status, body, number=SERVED, verification="ver_1", address=address, code=code)

    def sign_up(self, moment, account="acc_1", is_new=True, signup="sgn_1", number=GUIDED, code=OTHER):
        body = {
            "verification": verification("ver_2", GUIDED, "approved", 2),
            "account": {"id": account, "phone_number": number, "is_new": is_new},
        }
        return self.ask("signup_sign_up", moment, 201, body, number=GUIDED, signup=signup, address=PERSON, code=code)

    def note(self, action, moment, name, address, owner="local"):
        self.audit.append({
            "id": len(self.audit) + 1, "at": BEGIN + moment, "action": action, "owner": owner, "address": address,
            "verification_id": name,
        })

    def send(self, moment, name, number, address, code, action="begin", owner="local"):
        """On the trail, in the outbox and at the gateway."""
        self.note(action, moment, name, address, owner)
        sid = f"SM{len(self.messages) + 1}"
        self.messages.append(Message(sid, number, f"{code} is your code.", BEGIN + moment + 50))
        self.rows.append({
            "id": f"msg_{len(self.rows) + 1}", "verification_id": name, "created_at": BEGIN + moment, "status": "sent",
            "attempts": 1, "gateway_message_id": sid, "failure": None,
        })

    def fault(self, begin, end, name="kill -9 of instance 1", doubles=True):
        self.faults.append(Fault(name, ("instance 1",), doubles, BEGIN + begin, BEGIN + end))

    @property
    def evidence(self):
        tables = Tables(
            self.verifications, self.accounts, self.rows, self.audit, self.signups, self.activities, self.meters
        )
        return Evidence(self.rules, History(self.operations), self.messages, tables, self.faults)
