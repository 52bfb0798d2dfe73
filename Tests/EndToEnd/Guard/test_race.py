"""Many at once on one thing: the limits hold to the unit."""

import collections
import concurrent.futures

from support import ServiceTestCase, other_than


class RaceTests(ServiceTestCase):
    def test_of_1000_wrong_codes_five_are_compared(self):
        client = self.serve().client
        verification = client.begin("01012345678").json["id"]
        wrong = other_than(client.code("+821012345678"))
        with concurrent.futures.ThreadPoolExecutor(max_workers=32) as pool:
            outcomes = collections.Counter(pool.map(lambda _: client.check(verification, wrong).json["code"], range(1000)))
        self.assertEqual(outcomes, {"code_incorrect": 5, "max_checks_reached": 995})
