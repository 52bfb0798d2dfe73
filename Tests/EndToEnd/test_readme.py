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

    def test_the_reference_of_settings_is_what_the_program_prints(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [PROGRAM, "check-config", "--reference"], capture_output=True, text=True, cwd=folder, env=environment(folder),
            )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((ROOT / "config" / "reference.yaml").read_text(), done.stdout)
        lines = done.stdout.splitlines()
        for before, line in zip(lines, lines[1:]):
            if re.match(r" *#\w+: ", line):
                self.assertRegex(before, r"^ *# \S", f"{line} is not documented")
        self.assertGreater(len(re.findall(r"^ *#\w+: ", done.stdout, flags=re.M)), 150)

    def test_every_setting_of_the_shipped_files_exists(self):
        """Each line with its comment sign removed is a setting that the program knows, and in the reference its default."""
        live = {
            name: re.sub(r"^( *)#(\w+: )", r"\1\2", (ROOT / "config" / f"{name}.yaml").read_text(), flags=re.M)
            for name in ["phoneproof", "reference"]
        }
        live["phoneproof"] = live["phoneproof"].replace("profile: production", "profile: development")
        self.assertGreater(len(re.findall(r"^ *\w+: \S", live["phoneproof"], flags=re.M)), 15)
        defaults = re.sub(r"( *# Not set by default; for example:\n).*\n", r"\1", live["reference"])
        # Set, it holds in local development as well.
        self.assertIn("  allowed_regions: [KR]\n", defaults)
        defaults = defaults.replace("  allowed_regions: [KR]\n", "")
        self.assertLess(len(defaults.splitlines()), len(live["reference"].splitlines()))
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
            for text in live.values():
                for path, real in paths.items():
                    text = text.replace(path, str(real))
                self.assertEqual(self.check(folder, text)[0], 0, self.check(folder, text))
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
