"""Plans the faults by a seed, and carries them out."""

import random
import threading
import time

from clients import now
from evidence import Fault


class Saboteur:
    """The faults of a run, each a list of (seconds after its begin, what to do).

    links is None where the instances share a file: then only they and nginx can be hurt.
    """

    def __init__(self, seed, instances, nginx, database, links=None, lease=6, say=print):
        self.chance = random.Random(f"{seed} faults")
        self.instances, self.nginx, self.database, self.links = instances, nginx, database, links
        self.say = say
        # Longer than any lease, any time-out of the database, and any of nginx.
        self.long = max(lease + 3, 9)
        # All that were begun.
        self.faults = []
        # When a standby had become the primary, in milliseconds since 1970.
        self.promotions = []
        self._steps = []
        self._helpers = []
        self.errors = []

    OF_DATABASE = {
        "kill_database", "restart_database", "pause_database", "end_connections", "fail_over_killed", "fail_over_halted",
        "fail_over_cut",
    }

    # These are over, or answered, well within a lease.
    NEVER_DOUBLING = {
        "terminate", "reload", "end_connections", "reset_link", "half_closed_link", "clock_forward", "clock_back",
        "clock_forward_for_long",
    }

    @property
    def _is_database_struck(self):
        return any(kind in self.OF_DATABASE for *_, kind in self._steps)

    # Kinds: each gives a name, the instances that it strikes, and its steps. The last step ends it.

    def kill(self):
        one = self._one()
        return f"kill -9 of {one.name}", [one], [(0, one.kill), (2, self._nothing)]

    def kill_two(self):
        two = self.chance.sample(self.instances, 2)
        return "kill -9 of two at once", two, [(0, lambda: [one.kill() for one in two]), (2, self._nothing)]

    def pause(self):
        one = self._one()
        return f"{one.name} halted for {self.long} s", [one], [(0, one.pause), (self.long, one.resume)]

    def terminate(self):
        one = self._one()
        return f"SIGTERM to {one.name}", [one], [(0, one.terminate), (2, self._nothing)]

    def reload(self):
        return "nginx reloaded", [], [(0, self.nginx.reload), (0.5, self.nginx.reload), (1, self._nothing)]

    def end_connections(self):
        return "connections ended by the database", self.instances, [
            (0, self._aside(self.database.server.end_connections)),
            (0.7, self._aside(self.database.server.end_connections)),
            (1.5, self._nothing),
        ]

    def restart_database(self):
        return "database restarted", self.instances, [(0, self._aside(self.database.server.restart)), (3, self._join)]

    def kill_database(self):
        return "kill -9 of the database", self.instances, [
            (0, self._aside(self.database.server.kill)), (1.5, self._join), (1.5, self._aside(self.database.server.start)),
            (4, self._join),
        ]

    def pause_database(self):
        return "database halted for 7 s", self.instances, [
            (0, self._aside(self.database.server.pause)), (7, self._join), (7, self._aside(self.database.server.resume)),
            (7.2, self._join),
        ]

    def fail_over_killed(self):
        return self._fail_over("the primary killed", self.database.server.kill)

    def fail_over_halted(self):
        """It goes on beside its successor for a while."""
        server = self.database.server
        return self._fail_over("the primary halted", server.pause, server.resume)

    def fail_over_cut(self):
        """It runs on, and is not to be reached."""
        side = self.database.side
        return self._fail_over("the primary cut off", lambda: self.links.set_side(side, "silence"))

    def _fail_over(self, words, strike, resume=None):
        def promote():
            self.database.promote()
            self.promotions.append(now())

        return f"{words}, and its standby promoted", self.instances, [
            (0, self._aside(strike)), (1, self._join), (1, self._aside(promote)), (4, self._join),
            (4, resume or self._nothing), (5, self._aside(lambda: self.database.replace(self.links))), (10, self._join),
        ]

    def clock_forward(self):
        return self._clock(3600, 5)

    def clock_back(self):
        return self._clock(-3600, 5)

    def clock_forward_for_long(self):
        """Longer than the service takes to believe it, if nothing says otherwise."""
        return self._clock(600, 100)

    def _clock(self, seconds, duration):
        one = self._one()
        way = "forward" if seconds > 0 else "back"
        return f"{one.name}'s clock set {way} by {abs(seconds)} s for {duration} s", [one], [
            (0, lambda: one.clock.step(seconds)), (duration, lambda: one.clock.step(0))
        ]

    def slow_link(self):
        value = self.chance.choice([0.05, 0.2, 0.6])
        return self._link("delay", value, 6, f"{value} s of delay each way")

    def thin_link(self):
        return self._link("throttle", 4000, 6, "4 kB/s")

    def silent_link(self):
        return self._link("silence", 0, self.long, f"silence for {self.long} s")

    def closed_link(self):
        return self._link("refuse", 0, 3, "refused for 3 s")

    def lost_answers(self):
        return self._link("swallow", 0.3, 3, "answers lost for 3 s")

    def reset_link(self):
        return self._once("reset", "reset")

    def half_closed_link(self):
        side = self.chance.choice(["client", "server"])
        return self._once(f"half_close_{side}", f"half closed to the {side}")

    def silent_network(self):
        numbers = range(len(self.instances))
        return "no network to the database for 5 s", self.instances, [
            (0, lambda: [self.links.set(number, "silence") for number in numbers]),
            (5, lambda: [self.links.set(number, "pass") for number in numbers]),
        ]

    def lost_answers_of_all(self):
        numbers = range(len(self.instances))
        return "all answers of the database lost for 2 s", self.instances, [
            (0, lambda: [self.links.set(number, "swallow", 0.2) for number in numbers]),
            (2, lambda: [self.links.set(number, "pass") for number in numbers]),
        ]

    @property
    def kinds(self):
        """Those that a short run must have first."""
        if not self.links:
            return [self.kill, self.pause, self.terminate, self.reload, self.kill_two]
        if self.database.standby or self.database.old:
            return [
                self.fail_over_cut, self.clock_forward, self.fail_over_killed, self.clock_back, self.fail_over_halted, self.kill,
                self.terminate, self.pause, *([self.clock_forward_for_long] if self.seconds > 120 else []),
            ]
        return [
            self.kill, self.pause, self.kill_database, self.terminate, self.end_connections, self.silent_link,
            self.restart_database, self.lost_answers, self.reload, self.slow_link, self.reset_link, self.half_closed_link,
            self.lost_answers_of_all, self.kill_two, self.silent_network, self.pause_database, self.closed_link,
            self.thin_link,
        ]

    def _one(self):
        return self.chance.choice(self.instances)

    def _link(self, mode, value, seconds, words):
        number = self.chance.randrange(len(self.instances))
        one = self.instances[number]
        return f"{one.name} to database: {words}", [one], [
            (0, lambda: self.links.set(number, mode, value)), (seconds, lambda: self.links.set(number, "pass"))
        ]

    def _once(self, mode, words):
        number = self.chance.randrange(len(self.instances))
        one = self.instances[number]
        return f"{one.name} to database: {words}", [one], [
            (moment, lambda: self.links.set(number, mode)) for moment in (0, 0.4, 0.8)
        ] + [(1.2, self._nothing)]

    def _nothing(self):
        pass

    def _aside(self, work):
        """Does it in another thread: the database takes its time."""
        def attempt():
            try:
                work()
            except Exception as error:
                self.errors.append(f"{work.__name__} failed: {error}")

        def start():
            self._helpers.append(threading.Thread(target=attempt, daemon=True))
            self._helpers[-1].start()

        return start

    def _join(self):
        for helper in self._helpers:
            helper.join()
        self._helpers = []

    # The plan

    def plan(self, seconds):
        """Kinds one after another in an order of chance, each once, for as long as there is time; then two of them
        together, again and again.

        - Returns: (second, kinds) in the order of time.
        """
        # The last must be over in the end. In a short run they come closer together, and so meet.
        last = seconds - self.long
        step = min(12.0, max(2.3, last / (len(self.kinds) + 1)))
        moments = [2 + step * number for number in range(max(1, int((last - 2) / step) + 1))]
        kinds = self.kinds[:len(moments)]
        self.chance.shuffle(kinds)
        return [(moment, [kinds.pop()] if kinds else self.chance.sample(self.kinds, 2)) for moment in moments]

    def run(self, seconds, tick):
        """Carries out the plan, and all of it is over and healed when this returns."""
        begin, self.seconds = time.monotonic(), seconds
        plan, waiting = self.plan(seconds), []
        while True:
            elapsed = time.monotonic() - begin
            while plan and plan[0][0] <= elapsed:
                waiting += plan.pop(0)[1]
            for kind in list(waiting):
                # Two faults of the database itself would wait for each other: it cannot be stopped while it is halted.
                if kind.__name__ in self.OF_DATABASE and self._is_database_struck:
                    continue
                waiting.remove(kind)
                self._begin(kind)
            self._advance()
            tick()
            if elapsed >= seconds and not plan and not waiting and not self._steps:
                break
            time.sleep(0.05)
        self._join()

    def _begin(self, kind):
        name, struck, steps = kind()
        fault = Fault(
            name, tuple(one.name for one in struck), doubles=kind.__name__ not in self.NEVER_DOUBLING, begin=now()
        )
        self.faults.append(fault)
        self.say(f"  {len(self.faults):3}. {name}")
        self._steps.append((fault, time.monotonic(), steps, kind.__name__))

    def _advance(self):
        running = []
        for fault, begin, steps, kind in self._steps:
            while steps and time.monotonic() - begin >= steps[0][0]:
                steps.pop(0)[1]()
            fault.end = now()
            if steps:
                running.append((fault, begin, steps, kind))
        self._steps = running
