"""What the README shows is what happens: its curl lines are run as they stand."""

import json
import re
import subprocess
import tempfile
import unittest

from support import ROOT, Server


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
        sent, signed_up, shown = answers
        self.assertEqual(sent["verification"]["status"], "pending")
        self.assertIs(signed_up["account"]["is_new"], True)
        self.assertEqual(signed_up["account"]["phone_number"], "+821012345678")
        self.assertEqual(shown["account"], signed_up["account"])

    def test_the_lines_with_an_api_key_begin_a_verification(self):
        from support import PROGRAM, environment

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

    def test_every_setting_of_the_shipped_file_exists(self):
        """Each line with its comment sign removed is a setting that the program knows."""
        shipped = (ROOT / "config" / "phoneproof.yaml").read_text()
        live = re.sub(r"^(\s+)#(\w+:)", r"\1\2", shipped, flags=re.M)
        self.assertGreater(len(re.findall(r"^\s+\w+: \S", live, flags=re.M)), 25)
        from support import PROGRAM, environment

        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/settings.yaml", "w") as file:
                file.write(live.replace("config/messages", str(ROOT / "config" / "messages")))
            env = {k: v for k, v in environment(folder).items() if not k.startswith("PHONEPROOF_")}
            done = subprocess.run(
                [PROGRAM, "check-config", "--config", "settings.yaml"], capture_output=True, text=True, cwd=folder, env=env
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            default = subprocess.run([PROGRAM, "check-config"], capture_output=True, text=True, cwd=folder, env=env)
        without_first = lambda text: [line for line in text.splitlines() if not line.startswith("settings")]
        self.assertEqual(without_first(done.stdout), without_first(default.stdout))


if __name__ == "__main__":
    unittest.main()
