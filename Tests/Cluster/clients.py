"""Many clients at once: whole signups, and what people and attackers make of them. All that they ask and hear is noted."""

import concurrent.futures
import http.client
import json
import random
import threading
import time
import traceback

from evidence import Operation


class Caller:
    """Asks, and asks again where it hears nothing, as real clients do."""

    TIMEOUT = 10
    ATTEMPTS = 3

    def __init__(self, port, history, chance=None, is_over=lambda: False):
        self.port, self.history = port, history
        self.chance = chance or random.Random()
        self.is_over = is_over

    def ask(self, kind, method, path, body=None, token=None, source=None, attempts=ATTEMPTS, **known):
        """The last of the operations that it took.

        source: the address that a guided client calls from; other programs say in the body whom they ask for.
        """
        address = source or (body or {}).get("client_address")
        for attempt in range(1, attempts + 1):
            operation = Operation(kind, now(), address=address, attempt=attempt, **known)
            self._exchange(operation, method, path, body, token, source)
            operation.answered = now()
            self.history.add(operation)
            if operation.is_known or self.is_over():
                break
            if attempt < attempts:
                time.sleep(self.chance.uniform(0.2, 1.0) * attempt)
        return operation

    def _exchange(self, operation, method, path, body, token, source):
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=self.TIMEOUT, source_address=(source, 0) if source else None
        )
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            if token:
                headers["Authorization"] = f"Bearer {token}"
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            text = response.read()
            operation.instance = response.headers.get("X-Instance") or f"127.0.0.1:{self.port}"
            # nginx's own pages are none.
            operation.body = json.loads(text) if "json" in response.headers.get("Content-Type", "") else None
            operation.status = response.status
        except (OSError, http.client.HTTPException, ValueError) as error:
            operation.error = type(error).__name__
        finally:
            connection.close()


def now():
    return time.time_ns() // 1_000_000


class People:
    """Few at a time, so that many meet at one number, one prefix and one address; others as time goes on, since what has
    met its limit stays closed for the hour.
    """

    # How long a prefix and an address stay in use, in seconds.
    PREFIX_TIME, ADDRESS_TIME = 10, 8
    PREFIXES, NUMBERS, ADDRESSES = 4, 40, 24

    def __init__(self, seed):
        self._first = random.Random(f"{seed} people").randrange(1000, 2000)

    def number(self, chance, elapsed):
        """As the country writes it, and as the world does."""
        prefix = self._first + int(elapsed / self.PREFIX_TIME) * 2 + chance.randrange(self.PREFIXES)
        # The lower ones more often.
        number = 5000 + min(chance.randrange(self.NUMBERS) for _ in range(2))
        return f"010{prefix}{number}", f"+8210{prefix}{number}"

    def address(self, chance, elapsed):
        index = 256 + int(elapsed / self.ADDRESS_TIME) * 12 + chance.randrange(self.ADDRESSES)
        return f"127.1.{index // 250}.{index % 250 + 1}"


class Scenarios:
    """The load of one worker: each scenario is somebody's whole visit."""

    # How long somebody waits for a message before giving up, in seconds.
    PATIENCE = 4

    def __init__(self, port, history, gateway, people, chance, is_over, code_ttl):
        self.caller = Caller(port, history, chance, is_over)
        self.gateway, self.people, self.chance, self.is_over = gateway, people, chance, is_over
        self.begin_time = time.monotonic()
        self.choices = [
            (self.guided, 6), (self.served, 6), (self.race_to_begin, 3), (self.race_with_right_code, 3),
            (self.race_with_wrong_codes, 2), (self.race_to_sign_up, 2), (self.two_signups_of_one_number, 2),
            (self.race_of_cancel_and_check, 2),
        ]
        self.code_ttl = code_ttl
        if code_ttl < 60:
            self.choices.append((self.late, 3))

    def one(self):
        names, weights = zip(*self.choices)
        self.chance.choices(names, weights)[0]()

    # Single steps

    def somebody(self):
        elapsed = time.monotonic() - self.begin_time
        return *self.people.number(self.chance, elapsed), self.people.address(self.chance, elapsed)

    def address(self):
        return self.people.address(self.chance, time.monotonic() - self.begin_time)

    def wrong(self, codes):
        while (code := f"{self.chance.randrange(10**8):08}") in codes:
            pass
        return code

    def begin(self, text, number, address):
        """The verification, or None; one who is too early comes again."""
        for _ in range(3):
            operation = self.caller.ask(
                "begin", "POST", "/v1/verifications", {"phone_number": text, "client_address": address}, number=number
            )
            if operation.is_done:
                return operation.body["id"]
            if operation.problem != "resend_too_soon" or self.is_over():
                return None
            time.sleep(min(3, operation.body.get("retry_after", 1)) + 0.05)
        return None

    def check(self, verification, number, code, address, attempts=Caller.ATTEMPTS):
        return self.caller.ask(
            "check", "POST", f"/v1/verifications/{verification}/checks", {"code": code, "client_address": address},
            verification=verification, number=number, code=code, attempts=attempts,
        )

    def begin_signup(self, address):
        operation = self.caller.ask("signup_begin", "POST", "/v1/signups", {"region": "KR"}, source=address)
        if not operation.is_done:
            return None
        return operation.body["id"], operation.body["token"]

    def send(self, signup, text, number, address):
        for _ in range(3):
            operation = self.caller.ask(
                "signup_send", "POST", f"/v1/signups/{signup[0]}/send", {"phone_text": text}, signup[1], address,
                number=number, signup=signup[0],
            )
            if operation.is_done:
                return True
            if operation.problem != "resend_too_soon" or self.is_over():
                return False
            time.sleep(min(3, operation.body.get("retry_after", 1)) + 0.05)
        return False

    def sign_up(self, signup, number, code, address, attempts=Caller.ATTEMPTS):
        return self.caller.ask(
            "signup_sign_up", "POST", f"/v1/signups/{signup[0]}/sign-up", {"code_text": code}, signup[1], address,
            number=number, signup=signup[0], code=code, attempts=attempts,
        )

    def show(self, signup, address):
        return self.caller.ask(
            "signup_show", "GET", f"/v1/signups/{signup[0]}", token=signup[1], source=address, signup=signup[0]
        )

    def at_once(self, *calls):
        """What they give; all begin together."""
        with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
            return [future.result() for future in [pool.submit(call) for call in calls]]

    # Visits

    def guided(self):
        text, number, address = self.somebody()
        signup = self.begin_signup(address)
        if not signup:
            return
        if self.chance.random() < 0.3:
            for length in (6, 11):
                self.caller.ask(
                    "signup_edit", "PATCH", f"/v1/signups/{signup[0]}", {"phone_text": text[:length]}, signup[1], address,
                    signup=signup[0],
                )
        since = now()
        if not self.send(signup, text, number, address):
            return
        codes = self.gateway.codes(number, since, self.PATIENCE)
        if self.chance.random() < 0.2:
            self.sign_up(signup, number, self.wrong(codes), address)
        if self.chance.random() < 0.15:
            time.sleep(1)
            self.send(signup, text, number, address)
            codes = self.gateway.codes(number, since, self.PATIENCE)
        # Somebody else may have asked for a code for the same number: then two have come.
        for code in codes[:3]:
            if self.sign_up(signup, number, code, address).is_done:
                break
        self.show(signup, address)

    def served(self):
        text, number, address = self.somebody()
        since = now()
        verification = self.begin(text, number, address)
        if not verification:
            return
        codes = self.gateway.codes(number, since, self.PATIENCE)
        if self.chance.random() < 0.3:
            for _ in range(self.chance.randint(1, 3)):
                self.check(verification, number, self.wrong(codes), address)
        if self.chance.random() < 0.3:
            time.sleep(1)
            self.begin(text, number, address)
        if self.chance.random() < 0.15:
            self.cancel(verification)
        for code in codes[:3]:
            if self.check(verification, number, code, address).is_done:
                if self.chance.random() < 0.4:
                    self.check(verification, number, code, address)
                    self.check(verification, number, code, self.address())
                break
        self.look(verification)

    def cancel(self, verification):
        return self.caller.ask("cancel", "DELETE", f"/v1/verifications/{verification}", verification=verification)

    def look(self, verification):
        return self.caller.ask("show", "GET", f"/v1/verifications/{verification}", verification=verification)

    # Races

    def begun(self):
        """A verification, its number and the code that came, or None."""
        text, number, address = self.somebody()
        since = now()
        verification = self.begin(text, number, address)
        codes = self.gateway.codes(number, since, self.PATIENCE) if verification else []
        return (verification, number, codes) if codes else None

    def late(self):
        """Somebody who has the code when its time is over, more or less."""
        if begun := self.begun():
            verification, number, codes = begun
            time.sleep(self.code_ttl + self.chance.uniform(-2, 12))
            self.check(verification, number, codes[0], self.address())

    def race_to_begin(self):
        text, number, _ = self.somebody()
        self.at_once(*[
            lambda address=address: self.caller.ask(
                "begin", "POST", "/v1/verifications", {"phone_number": text, "client_address": address}, number=number
            ) for address in [self.address() for _ in range(6)]
        ])

    def race_with_right_code(self):
        if begun := self.begun():
            verification, number, codes = begun
            addresses = [self.address() for _ in range(3)]
            self.at_once(*[
                lambda address=address: self.check(verification, number, codes[0], address) for address in addresses * 2
            ])

    def race_with_wrong_codes(self):
        if begun := self.begun():
            verification, number, codes = begun
            tries = [(self.wrong(codes), self.address()) for _ in range(8)]
            self.at_once(*[
                lambda code=code, address=address: self.check(verification, number, code, address)
                for code, address in tries
            ])
            self.check(verification, number, codes[0], self.address())

    def race_to_sign_up(self):
        text, number, address = self.somebody()
        signup = self.begin_signup(address)
        since = now()
        if not signup or not self.send(signup, text, number, address):
            return
        for code in self.gateway.codes(number, since, self.PATIENCE)[:2]:
            self.at_once(*[lambda: self.sign_up(signup, number, code, address) for _ in range(5)])
        self.show(signup, address)

    def two_signups_of_one_number(self):
        text, number, _ = self.somebody()
        since = now()
        visits = [(signup, address) for address in [self.address(), self.address()]
                  if (signup := self.begin_signup(address))]
        if len(visits) < 2:
            return
        sent = self.at_once(*[
            lambda signup=signup, address=address: self.send(signup, text, number, address) for signup, address in visits
        ])
        codes = self.gateway.codes(number, since, self.PATIENCE) if any(sent) else []
        if all(sent) and len(codes) < 2:
            time.sleep(1)
            codes = self.gateway.codes(number, since)

        def finish(signup, address):
            for code in codes[:3]:
                if self.sign_up(signup, number, code, address).is_done:
                    break

        self.at_once(*[lambda visit=visit: finish(*visit) for visit in visits])

    def race_of_cancel_and_check(self):
        if begun := self.begun():
            verification, number, codes = begun
            address = self.address()
            self.at_once(
                lambda: self.cancel(verification), lambda: self.check(verification, number, codes[0], address),
                lambda: self.cancel(verification), lambda: self.check(verification, number, codes[0], address),
            )
            self.look(verification)


class Load:
    """Threads that make visit after visit until they are stopped.

    A client that waits for an instance which is halted asks nobody else meanwhile, and so do all after a while. That says
    nothing of how the others would have been served; so besides somebody new comes at every beat, whatever became of
    those before, at nginx and at each instance.

    doors: the ports of those.
    """

    # Seconds between two who are new.
    BEAT = 0.25

    def __init__(self, port, history, gateway, people, seed, workers, doors, code_ttl):
        self._over = threading.Event()
        # What went wrong with the load itself.
        self.errors = []
        self.scenarios = [
            Scenarios(port, history, gateway, people, random.Random(f"{seed} worker {number}"), self._over.is_set, code_ttl)
            for number in range(workers)
        ]
        self._threads = [threading.Thread(target=self._work, args=[each], daemon=True) for each in self.scenarios]
        self._callers = [Caller(door, history) for door in doors]
        self._beats = []
        self._threads.append(threading.Thread(target=self._beat, daemon=True))

    def start(self):
        for thread in self._threads:
            thread.start()

    def _work(self, scenarios):
        while not self._over.is_set():
            try:
                scenarios.one()
            except Exception:
                self.errors.append(traceback.format_exc())
                return

    def _beat(self):
        while not self._over.wait(self.BEAT):
            for caller in self._callers:
                count = len(self._beats)
                address = f"127.2.{count // 250}.{count % 250 + 1}"
                self._beats.append(threading.Thread(target=self._come, args=[caller, address], daemon=True))
                self._beats[-1].start()

    def _come(self, caller, address):
        caller.ask("signup_begin", "POST", "/v1/signups", {"region": "KR"}, source=address, attempts=1)

    def stop(self):
        self._over.set()
        for thread in self._threads + self._beats:
            thread.join(timeout=60)
            if thread.is_alive():
                self.errors.append("a client did not come to an end")
