"""Challenges as ALTCHA's own library and an independent solver take them."""

import base64
import json

import altcha
import requests
from altcha_solver import AltchaSolver
from documentation import all_blocks
from support import ServiceTestCase


class AltchaTests(ServiceTestCase):
    settings = {"GUARD_PREFIX_SAMPLE": 5, "CHALLENGE_EASIEST": 1000}

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        for number in range(5):
            self.assertEqual(self.server.client.begin(f"0101234000{number}").status, 201)

    def send(self, number, **more):
        begun = self.server.client.begin(number, more=more)
        return begun.status, begun.json

    def test_the_library_solves_a_challenge_and_its_payload_is_worth_one_message(self):
        status, problem = self.send("01012345678")
        self.assertEqual((status, problem["code"]), (428, "challenge_required"))
        asked = problem["challenge"]
        solved = altcha.v1.solve_challenge(asked["challenge"], asked["salt"], asked["algorithm"], asked["maxnumber"])
        payload = altcha.v1.Payload(asked["algorithm"], asked["challenge"], solved.number, asked["salt"], asked["signature"])
        proof = payload.to_base64()
        # Bound to its number, and then used up.
        self.assertEqual(self.send("01012345679", proof=proof)[1]["reason"], "invalid")
        self.assertEqual(self.send("01012345678", proof=proof)[0], 201)
        self.assertEqual(self.send("01012345679", proof=proof)[1]["reason"], "used")

    def test_the_article_does_what_it_shows(self):
        [block] = [block for block in all_blocks("python") if block.page == "Abuse"]
        names = {}
        exec(compile(block.text, block.place, "exec"), names)
        answer = names["send"](self.server.url + "/v1/verifications", {"phone_number": "+821012345678"}, timeout=60)
        self.assertEqual(answer.status_code, 201, answer.text)

    def test_an_independent_solver_takes_a_challenge_made_ahead(self):
        url = self.server.url + "/v1/challenges"
        asked = requests.get(url, params={"phone_number": "+821012345678"}, timeout=20).json()
        self.assertIs(asked["is_required"], True)
        solved = AltchaSolver(max_iterations=asked["maxnumber"] + 1).solve(asked)
        solution = {name: asked[name] for name in ("algorithm", "challenge", "salt", "signature")}
        proof = base64.b64encode(json.dumps({**solution, "number": solved["counter"]}).encode()).decode()
        self.assertEqual(self.send("01012345678", proof=proof)[0], 201)
