"""What the README shows is what happens: its curl lines are run as they stand."""

import base64
import json
import os
import re
import subprocess
import tempfile
import unittest

from certificates import make_authority, make_certificate
from support import PROGRAM, ROOT, Server, environment


class ReadmeTests(unittest.TestCase):
    def test_the_five_curl_lines_sign_a_person_up(self):
        readme = (ROOT / "README.md").read_text()
        script = re.search(r"<!-- These lines are run by the tests\. -->\n```sh\n(.*?)```", readme, re.S).group(1)
        self.assertEqual(len(re.findall(r"\bcurl -s ", script)), 5)
        with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
            script = script.replace("http://127.0.0.1:8080", f"http://127.0.0.1:{server.port}")
            done = subprocess.run(["bash", "-eu", "-c", script], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        decoder, answers, rest = json.JSONDecoder(), [], done.stdout.strip()
        while rest:
            answer, end = decoder.raw_decode(rest)
            answers.append(answer)
            rest = rest[end:].strip()
        sent, signed_up, account = answers
        self.assertEqual(sent["verification"]["status"], "pending")
        self.assertIs(signed_up["account"]["is_new"], True)
        self.assertEqual(signed_up["account"]["phone_number"], "+821012345678")
        self.assertEqual(
            (account["id"], account["phone_number"]), (signed_up["account"]["id"], "+821012345678")
        )

    def test_the_lines_with_an_api_key_begin_a_verification(self):
        readme = (ROOT / "README.md").read_text()
        script = re.search(r"<!-- So are these\. -->\n```sh\n(.*?)```", readme, re.S).group(1)
        self.assertIn("scripts/run", script)
        with tempfile.TemporaryDirectory() as folder, Server(folder, SERVER_INSECURE_NO_KEYS=None) as server:
            before = f"api=http://127.0.0.1:{server.port} json='Content-Type: application/json'\n"
            done = subprocess.run(
                ["bash", "-eu", "-c", before + script.replace("scripts/run", str(PROGRAM))],
                capture_output=True, text=True, timeout=60, cwd=folder, env=environment(folder),
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual((answer["status"], answer["phone_number"]), ("pending", "+821012345678"))

    # What is on once it is set, with an example of a value and not a default beside it in the file.
    EXAMPLES = ["certificate_file", "key_file", "secrets_file", "headers_file", "url: https:", "undo_url", "directory:",
                "issuer:", "audience:", "otlp_endpoint", "port: 9464"]

    def test_every_setting_of_the_shipped_file_exists(self):
        """Each line with its comment sign removed is a setting that the program knows, and says what holds without it."""
        shipped = (ROOT / "config" / "phoneproof.yaml").read_text()
        live = re.sub(r"^(\s+)#(\w+:)", r"\1\2", shipped, flags=re.M)
        self.assertGreater(len(re.findall(r"^\s+\w+: \S", live, flags=re.M)), 25)
        defaults = "".join(
            line for line in live.splitlines(keepends=True) if not line.strip().startswith(tuple(self.EXAMPLES))
        )
        self.assertEqual(len(live.splitlines()) - len(defaults.splitlines()), len(self.EXAMPLES))
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = make_certificate(folder, "service", make_authority(folder, "authority"))
            secrets = f"{folder}/secrets"
            with open(os.open(secrets, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                file.write("whsec_" + base64.b64encode(bytes(24)).decode())
            headers = f"{folder}/headers"
            with open(headers, "w") as file:
                file.write("api-key=1\n")
            paths = {
                "/etc/phoneproof/tls/fullchain.pem": certificate, "/etc/phoneproof/tls/privkey.pem": key,
                "/run/secrets/webhooks": secrets, "/run/secrets/otlp-headers": headers, "config/messages": ROOT / "config" / "messages",
            }
            for path, real in paths.items():
                live, defaults = live.replace(path, str(real)), defaults.replace(path, str(real))
            self.assertEqual(self.check(folder, live)[0], 0, self.check(folder, live))
            self.assertEqual(self.check(folder, defaults), self.check(folder, None))

    def check(self, folder, settings):
        """What check-config says of these settings, but for where they are from."""
        arguments = []
        if settings is not None:
            with open(f"{folder}/settings.yaml", "w") as file:
                file.write(settings)
            arguments = ["--config", "settings.yaml"]
        env = {k: v for k, v in environment(folder).items() if not k.startswith("PHONEPROOF_")}
        done = subprocess.run(
            [PROGRAM, "check-config", *arguments], capture_output=True, text=True, cwd=folder, env=env
        )
        lines = [line for line in done.stdout.splitlines() if not line.startswith("settings")]
        return done.returncode, done.stderr, lines


if __name__ == "__main__":
    unittest.main()
