"""The guided signup in a pseudo-terminal and through a pipe."""

import os
import re
import signal
import subprocess
import tempfile
import termios
import threading

import pexpect
import pexpect.popen_spawn

from peer import Peer
from support import PROGRAM, Client, Server, ServiceTestCase, environment, free_port, other_than, run


class PromptTestCase(ServiceTestCase):
    def start(self, *arguments, **settings):
        env = environment(self.folder, {"NO_COLOR": "1"}, **settings)
        child = pexpect.spawn(
            PROGRAM, ["signup", *arguments], cwd=self.folder, env=env, encoding="utf-8", timeout=20, dimensions=(24, 100)
        )
        self.addCleanup(child.close, force=True)
        child.delaybeforesend = None
        return child

    def send_code(self, child):
        """Asks for a code for 010-1234-5678; gives it, and another one that it is not."""
        child.expect_exact("? Phone number: ")
        child.send("01012345678\r")
        child.expect(r"SMS stub │ (\d{6}) is your PhoneProof code")
        code = child.match.group(1)
        child.expect_exact("resend in 0:30 · expires in ")
        return code, other_than(code)

    def is_raw(self, child):
        return not termios.tcgetattr(child.child_fd)[3] & termios.ICANON


class TerminalTests(PromptTestCase):
    def test_a_person_signs_up(self):
        child = self.start("--locale", "en")
        child.expect_exact("Phone number: ")
        self.assertTrue(self.is_raw(child))
        for key, shown in zip("01012345678", ["0", "01", "010", "010-1", "010-12", "010-123", "010-1234", "010-1234-5", "010-1234-56"]):
            child.send(key)
            child.expect_exact(shown)
        child.send("78\r")
        child.expect(r"Code sent to \+82 10-\*\*\*\*-5678\.")
        child.expect(r"SMS stub │ (\d{6}) is your PhoneProof code")
        code = child.match.group(1)
        child.expect_exact("resend in 0:30 · expires in 10:00 · Esc: change number")
        wrong = other_than(code)
        child.send(wrong + "\r")
        child.expect_exact("✗ Wrong code. 4 attempts left.")
        child.send("\x15" + code + "\r")
        child.expect(r"✔ Signed up: 010-1234-5678 · account acc_[0-9a-f]{32} \(new\)\r\n  Next: ")
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(child.exitstatus, 0)

    def test_the_first_screen_of_the_readme_in_other_locales(self):
        for language in ["ko_KR.UTF-8", "ar_EG.UTF-8", "C"]:
            with tempfile.TemporaryDirectory() as folder, self.subTest(language):
                env = {**environment(folder), "LANG": language, "NO_COLOR": "1"}
                arguments = ["signup", "--region", "KR", "--locale", "en"]
                child = pexpect.spawn(PROGRAM, arguments, cwd=folder, env=env, encoding="utf-8", timeout=20)
                child.expect_exact("region KR (--region changes it)")
                for key in "01012345678":
                    child.send(key)
                child.expect_exact("Phone number: 010-1234-5678")
                child.send("\r")
                child.expect(r"(\d{6}) is your PhoneProof code")
                child.send(child.match.group(1) + "\r")
                child.expect(r"Signed up: 010-1234-5678 .* account acc_[0-9a-f]{32} \(new\)")
                child.expect(pexpect.EOF)
                child.close()
                self.assertEqual(child.exitstatus, 0)

    def test_the_next_steps_work_where_the_person_stands(self):
        os.mkdir(f"{self.folder}/my bin")
        os.symlink(PROGRAM, f"{self.folder}/my bin/phoneproof")
        env = environment(self.folder, {"NO_COLOR": "1"}, DATABASE_URL=None)
        child = pexpect.spawn(
            "bash", ["-c", "'my bin/phoneproof' signup --locale en --database \"sqlite:it's.sqlite\""], cwd=self.folder, env=env,
            encoding="utf-8", timeout=20,
        )
        self.addCleanup(child.close, force=True)
        child.delaybeforesend = None
        code, _ = self.send_code(child)
        child.send(code + "\r")
        child.expect(r"account (acc_[0-9a-f]{32}) \(new\)\r\n  Next: (.*)\r\n  or:   (.*)\r\n")
        account, show, serve = child.match.groups()
        done = subprocess.run(["bash", "-c", show], cwd=self.folder, env=env, capture_output=True, text=True)
        self.assertIn(account, done.stdout, done.stderr)
        self.assertEqual(serve, show.replace(f"accounts show {account}", "serve"))

    def test_ctrl_c_restores_the_terminal(self):
        child = self.start("--locale", "en")
        child.expect_exact("Phone number: ")
        before = self.is_raw(child)
        child.send("\x03")
        child.expect(pexpect.EOF)
        self.assertEqual((before, self.is_raw(child)), (True, False))
        child.close()
        self.assertEqual(child.exitstatus, 130)

    def test_a_signal_restores_the_terminal(self):
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
            child = self.start("--locale", "en")
            child.expect_exact("Phone number: ")
            child.kill(number)
            child.expect(pexpect.EOF)
            self.assertFalse(self.is_raw(child), number)


class ServerTests(PromptTestCase):
    """A server that goes away, and comes back."""

    def test_a_lost_connection_keeps_the_code_and_a_restart_finds_the_field_again(self):
        port = free_port()
        server = Server(self.folder, port=port)
        self.addCleanup(server.close)
        arguments = ["--locale", "en", "--server", f"http://127.0.0.1:{port}"]
        child = self.start(*arguments)
        code, _ = self.send_code(child)
        server.process.kill()
        server.process.wait()
        child.send(code + "\r")
        child.expect_exact(f"✗ Cannot reach http://127.0.0.1:{port}.")
        child.expect_exact("Enter: try again · Esc: change number")
        # Gone altogether, it comes back to the same field.
        child.send("\x03")
        child.expect(pexpect.EOF)
        kept = f"{self.folder}/state/phoneproof/signup.json"
        self.assertEqual(os.stat(kept).st_mode & 0o777, 0o600)
        self.enter(Server(self.folder, port=port))
        child = self.start(*arguments)
        child.expect_exact("✔ Code sent to +82 10-****-5678.")
        child.expect_exact("? Code: ")
        child.send(code)
        child.expect_exact("Enter: sign up")
        child.send("\r")
        child.expect(r"✔ Signed up: 010-1234-5678 · account acc_[0-9a-f]{32} \(new\)")
        child.expect(pexpect.EOF)
        self.assertFalse(os.path.exists(kept))
        # The next one begins anew.
        child = self.start(*arguments)
        child.expect_exact("? Phone number: ")

    def test_a_program_at_a_pipe_gets_the_first_question(self):
        with Server(self.folder) as server:
            arguments = ["--locale", "en", "--server", server.url]
            child = self.start(*arguments)
            self.send_code(child)
            child.send("\x03")
            child.expect(pexpect.EOF)
            code, out, err = self.run_program("signup", *arguments, stdin="")
            self.assertEqual((code, out), (1, "Phone number:\n"), err)

    def test_a_first_response_that_takes_long_has_a_spinner(self):
        is_shown = threading.Event()
        slow = self.enter(Peer(lambda request: 503 if is_shown.wait(20) else 500))
        child = self.start("--locale", "en", "--server", slow.url)
        child.expect_exact("connecting…")
        is_shown.set()
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(child.exitstatus, 69)


class ServeTests(ServiceTestCase):
    """What a developer sees who runs the service in a terminal."""

    def start(self, **settings):
        env = environment(self.folder, SERVER_INSECURE_NO_KEYS="true", **settings)
        child = pexpect.spawn(PROGRAM, ["serve", "--port", "0"], cwd=self.folder, env=env, encoding="utf-8", timeout=20, dimensions=(24, 200))
        self.addCleanup(child.close, force=True)
        child.expect(r"ready at http://127\.0\.0\.1:(\d+)")
        return child, Client(int(child.match.group(1)))

    def test_a_request_is_a_short_line_and_a_message_is_shown(self):
        child, client = self.start()
        self.assertEqual(client.begin("01012345678").status, 201)
        shown = ""
        request = r"\r\n\d\d:\d\d:\d\d 201 POST /v1/verifications \d+ ms\r\n"
        message = r"SMS stub │ \+82 10-\*\*\*\*-5678: (\d{6}) is your PhoneProof code\. .*\r\n"
        # In either order.
        while not (re.search(request, shown) and re.search(message, shown)):
            child.expect("\r\n")
            shown += child.before + child.after
        self.assertEqual(re.search(message, shown)[1], client.code("+821012345678"))
        self.assertNotIn("12345678", shown)
        # Each once.
        self.assertEqual(client.begin("01012345679").status, 201)
        child.expect(r"SMS stub │ \+82 10-\*\*\*\*-5679")
        self.assertNotIn("SMS stub", child.before)

    def test_elsewhere_a_message_is_not_shown(self):
        """Neither where others reach the service, nor where a program reads what it prints."""
        child, client = self.start(SERVER_TRUSTED_PROXIES="127.0.0.1", LOG_FORMAT="short")
        self.assertEqual(client.begin("01012345678").status, 201)
        code = client.code("+821012345678")
        child.kill(signal.SIGTERM)
        child.expect(pexpect.EOF)
        self.assertIn("201 POST /v1/verifications", child.before)
        self.assertNotIn(code, child.before)
        server = self.serve(LOG_FORMAT=None)
        self.assertEqual(server.client.begin("01087654321").status, 201)
        code = server.client.code("+821087654321")
        server.process.terminate()
        self.assertEqual(server.process.wait(), 0)
        self.assertNotIn(code, server.log_text + server.process.stdout.read())
        self.assertIn(" http.method=POST ", server.log_text)


class PipeTests(ServiceTestCase):
    def converse(self, number, *arguments, answer=lambda code: code):
        """Types a number, reads the code from the stub's line, and types what `answer` makes of it."""
        child = pexpect.popen_spawn.PopenSpawn(
            [PROGRAM, "signup", "--locale", "en", *arguments], cwd=self.folder, env=environment(self.folder),
            encoding="utf-8", timeout=20,
        )
        child.sendline(number)
        child.expect(r"SMS stub │ (\d{6}) .*\n")
        transcript = child.before + child.after
        child.sendline(answer(child.match.group(1)))
        child.sendeof()
        child.expect(pexpect.EOF)
        code = child.wait()
        child.proc.stdout.close()
        return code, transcript + child.before

    def test_a_transcript(self):
        code, transcript = self.converse("01012345678")
        transcript = re.sub(r"acc_[0-9a-f]{32}", "acc_…", re.sub(r"\d{6} is", "123456 is", transcript))
        self.assertEqual(
            transcript.splitlines(),
            [
                f"In new database {os.path.realpath(self.folder)}/phoneproof.sqlite:",
                "Phone number:",
                "Code sent to +82 10-****-5678.",
                "SMS stub │ 123456 is your PhoneProof code. It expires in 10 min. Do not share it.",
                "Code (r: resend, c: Call me instead, n: change number):",
                "Signed up: 010-1234-5678 · account acc_… (new)",
            ],
        )
        self.assertEqual(code, 0)

    def test_a_known_number_is_welcomed_back(self):
        self.converse("01012345678")
        code, transcript = self.converse("+82 10 1234 5678")
        self.assertEqual(code, 0)
        self.assertRegex(transcript.splitlines()[-1], r"^Welcome back: .* · account acc_[0-9a-f]{32}$")

    def test_numbers_of_other_countries_where_they_are_allowed(self):
        numbers = {"+1 212 555 0123": "+1 212-***-0123", "+33 6 12 34 56 78": "+33 6 ** ** 56 78"}
        for number, shown in numbers.items():
            code, out, err = self.run_program(
                "signup", "--locale", "en", stdin=number + "\n", VERIFICATION_ALLOWED_REGIONS="KR,US,FR"
            )
            self.assertIn(f"Code sent to {shown}.", out, err)
        code, out, err = self.run_program("signup", "--locale", "en", stdin="+1 212 555 0123\n", VERIFICATION_ALLOWED_REGIONS="KR")
        self.assertIn("Numbers from this country (United States) aren't supported. Use a number from: South Korea.", err)
        # Nothing leaves this machine.
        code, out, err = self.run_program("signup", "--locale", "en", stdin="+1 212 555 0199\n")
        self.assertIn("Code sent to +1 212-***-0199.", out, err)
        code, out, err = self.run_program(
            "signup", "--region", "GB", "--locale", "en", stdin="07400 123456\n",
            VERIFICATION_ALLOWED_REGIONS="GB",
        )
        self.assertIn("Code sent to +44", out, err)

    def test_the_region_is_that_of_the_terminal(self):
        def signup(number, variables, *arguments, **settings):
            done = subprocess.run(
                [PROGRAM, "signup", "--locale", "en", *arguments], input=number + "\n", capture_output=True, text=True, timeout=60,
                cwd=self.folder, env=environment(self.folder, variables, **settings),
            )
            return done.stdout + done.stderr

        for variables in [{"LANG": "en_US.UTF-8"}, {"LANG": "ko_KR.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, {"LC_ALL": "en_US"}]:
            self.assertIn("Code sent to +1 212-***-0123.", signup("212 555 0123", variables, LIMITS_ENABLED="false", VERIFICATION_RESEND_COOLDOWNS_SECONDS=0))
        for variables in [{"LANG": "ko_KR.UTF-8"}, {"LANG": "C.UTF-8"}, {"LANG": "en.UTF-8"}, {"LANG": "en_QQ.UTF-8"}, {"LANG": ""}]:
            self.assertIn("Code sent to +82 10-****-5678.", signup("010-1234-5678", variables, VERIFICATION_RESEND_COOLDOWNS_SECONDS=0))
        american = {"LANG": "en_US.UTF-8"}
        self.assertIn("Code sent to +44", signup("07400 123456", american, "--region", "GB"))
        self.assertIn("Code sent to +82 10", signup("010-1234-5679", american, LOCALE_REGION="KR"))
        self.assertIn("Code sent to +82 10", signup("010-1234-5671", american, PROFILE="production"))

    def test_a_server_that_is_not_there(self):
        code, out, err = run("signup", "--server", "http://127.0.0.1:1", "--locale", "en", stdin="01012345678\n")
        self.assertEqual(code, 69)
        self.assertEqual(len(err.splitlines()), 1)
        self.assertIn("http://127.0.0.1:1", err)
