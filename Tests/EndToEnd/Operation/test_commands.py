"""The commands, called rightly and wrongly: output, exit code, and one line that says what to do."""

import json
import os
import subprocess

import pexpect

from support import PROGRAM, Server, ServiceTestCase, code_of_any, environment, run


class CommandTests(ServiceTestCase):
    def test_a_number_is_formatted_and_judged(self):
        code, out, _ = self.run_program("number", "０１０ 1234 5678", "--locale", "en")
        self.assertEqual(code, 0)
        self.assertEqual(
            out.splitlines(),
            [
                "Input            ０１０ 1234 5678",
                "Shown as         010-1234-5678",
                "Valid            yes",
                "Kind             mobile",
                "Region           KR",
                "National         010-1234-5678",
                "International    +82 10-1234-5678",
                "E.164            +821012345678",
                "Receives a code  yes",
            ],
        )

    def test_a_number_as_json_is_what_the_service_says(self):
        with Server(self.folder) as server:
            for text in ["+82 10-1234-5678", "02-123-4567", "010-345-6789"]:
                code, out, _ = self.run_program("number", text, "--json")
                served = server.client.call("GET", "/v1/phone-numbers/" + text.replace("+", "%2B").replace(" ", "%20"))
                command, answer = json.loads(out), served.json
                for report in [command, answer]:
                    # The words differ: one is read by a person at a prompt, the other by a programmer.
                    report["reason"] = report["reason"] and report["reason"]["code"]
                self.assertEqual(command, answer)
                self.assertEqual(code, 0 if command["is_valid"] else 1)

    def test_no_number_exits_with_1(self):
        for text in ["010-345-6789", "", "🙂", "1" * 10_000, "010-1234-567O"]:
            self.assertEqual(self.run_program("number", text)[0], 1, text[:20])

    def test_wrong_usage_exits_with_64(self):
        for arguments in [
            ("number",), ("number", "010", "--region", "Korea"), ("serve", "--port", "http"), ("serve", "--port", "70000"),
            ("signup", "--server", "ftp://x"), ("signup", "--locale", "한국어"), ("signup", "--locale", "sv"),
            ("signup", "--region", "XX"), ("limits", "show", "010", "--region", "XX"), ("dance",), ("serve", "--sing"),
            (), ("keys",), ("accounts",),
        ]:
            code, out, err = self.run_program(*arguments)
            self.assertEqual((code, out), (64, ""), (arguments, err))
            self.assertTrue(err)

    def test_a_preloaded_library_that_sets_a_variable_takes_no_arguments_away(self):
        """Nobody finds them beside the environment then."""
        with open(f"{self.folder}/agent.c", "w") as file:
            file.write('#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { setenv("AGENT", "1", 1); }\n')
        agent = f"{self.folder}/agent.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", agent, f"{self.folder}/agent.c"], check=True)
        for arguments, code in [(("number", "010 1234 5678", "--locale", ""), 64), (("number", "010 1234 5678"), 0)]:
            done = subprocess.run(
                [PROGRAM, *arguments], capture_output=True, cwd=self.folder,
                env={**environment(self.folder), "LD_PRELOAD": agent},
            )
            self.assertEqual(done.returncode, code, done)

    def test_wrong_settings_exit_with_78_and_name_the_key(self):
        for command in ["serve", "signup"]:
            self.assertIn("server.port", self.refused(78, command, SERVER_PORT="http"))
        self.assertIn("nope.yaml", self.refused(78, "serve", "--config", "nope.yaml"))
        self.write("settings.yaml", "server:\n  prt: 3\n")
        said = self.refused(78, "serve", "--config", "settings.yaml")
        self.assertIn("settings.yaml, line 2: there is no setting server.prt; did you mean server.port?", said)

    def test_what_is_quoted_acts_on_no_terminal(self):
        hostile = "\x9b2J\u202e\x1b[2J"
        shown = "\\u009b2J\\u202e\\u001b[2J"
        self.assertIn(shown, self.refused(78, "serve", "--config", f"{hostile}.yaml"))
        self.assertIn(shown, self.refused(78, "serve", SERVER_TRUSTED_PROXIES=hostile))
        code, _, err = self.run_program("outbox", "list", "--status", hostile)
        self.assertEqual(code, 64)
        self.assertIn(shown, err)
        code, out, _ = self.run_program("check-config", DATABASE_URL=f"sqlite:{hostile}/phoneproof.sqlite")
        self.assertIn(shown, out)
        for format in ["text", "json"]:
            folder = f"{self.folder}/{format}{hostile}"
            os.mkdir(folder)
            # It logs where the key is that it made.
            with Server(folder, LOG_FORMAT=format) as server:
                self.assertIn(format + shown, server.log_text)
                self.assertEqual(set(hostile) & set(server.log_text), set("2J["))
        for text in [err, out]:
            self.assertEqual(set("\x9b\u202e\x1b") & set(text), set())

    def test_an_invalid_region_is_answered_with_the_right_one(self):
        code, _, err = self.run_program("number", "07400 123456", "--region", "UK")
        self.assertEqual((code, err.splitlines()[0]), (64, "Error: The value 'UK' is invalid for '--region <region>'. Did you mean 'GB'?"))

    def test_check_config_ends_with_a_verdict(self):
        def check(**settings):
            code, out, err = self.run_program("check-config", **settings)
            self.assertEqual(err, "")
            return code, out.splitlines()

        code, lines = check()
        self.assertEqual((code, lines[-1]), (0, "OK: serve would start, 1 warning"))
        # What is missing is reported beside what is invalid.
        code, lines = check(SERVER_PORT="x", SMS_GATEWAY="twilio", SMS_TWILIO_FROM="?")
        self.assertEqual(code, 1)
        for name in ["server.port", "sms.twilio.account_sid", "sms.twilio.auth_token", "sms.twilio.from"]:
            self.assertEqual(len([line for line in lines if name in line]), 1, (name, lines))
        self.assertEqual(lines[-1], "FAILED: serve would not start, 4 errors")

    def test_a_mistyped_command_is_answered_with_the_right_one(self):
        for arguments, meant in [
            (("gaurd", "list"), "'gaurd'. Did you mean 'guard'?"), (("guard", "lst"), "'lst'. Did you mean 'list'?"),
            (("keys", "rotate-singing"), "'rotate-singing'. Did you mean 'rotate-signing'?"),
        ]:
            code, out, err = self.run_program(*arguments)
            self.assertEqual((code, out), (64, ""))
            self.assertEqual(err.splitlines()[0], f"Error: Unknown command {meant}")
        code, _, err = self.run_program("dance")
        self.assertEqual((code, err), (64, f"Error: Unknown command 'dance'.\n  See '{PROGRAM} --help' for the commands.\n"))
        self.assertIn("Did you mean '--json'?", self.run_program("guard", "list", "--jsno")[2])
        self.assertEqual(self.run_program("help", "guard")[0], 0)

    def test_options_without_a_command_are_those_of_signup(self):
        code, out, err = self.run_program("--region", "US", "--locale", "en", stdin="212 555 0123\n")
        self.assertIn("Code sent to +1 212-***-0123.", out, err)
        self.assertEqual(self.run_program("--sing")[0], 64)
        for arguments, beginning in [
            (("--help",), "OVERVIEW: Verify phone numbers"), (("-h",), "OVERVIEW: Verify phone numbers"), (("--version",), "0."),
            (("keys", "--help"), "OVERVIEW: Manage API keys"), (("signup", "-h"), "OVERVIEW: Sign up"),
        ]:
            code, out, err = self.run_program(*arguments)
            self.assertEqual((code, out[:len(beginning)], err), (0, beginning, ""))

    def test_help_and_hints_say_what_was_typed(self):
        def typed(*arguments, name="scripts/run", **settings):
            command = ["bash", "-c", 'exec -a "$0" "$@"', name, PROGRAM, *arguments]
            env = environment(self.folder, **settings)
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=env)
            return done.stdout + done.stderr

        self.assertIn("USAGE: scripts/run <subcommand>\n", typed("help"))
        self.assertIn("USAGE: scripts/run keys <subcommand>\n", typed("keys"))
        self.assertIn("Usage: scripts/run number ", typed("number"))
        self.assertRegex(typed("help", "copy"), r"\(`scripts/run\s+migrate`\)")
        for name, shown in [("scripts/run", "scripts/run"), ("my bin/phoneproof", "'my bin/phoneproof'"), ("phoneproof", "phoneproof")]:
            self.assertIn(f"run `{shown} migrate`", typed("check-config", name=name, DATABASE_MIGRATE="false"))
            open_to_all = typed("serve", "--insecure-no-keys", "--host", "0.0.0.0", name=name)
            self.assertIn(f"create keys with `{shown} keys create`", open_to_all)
        # What is for everybody is not.
        for arguments in [("completions", "bash"), ("--experimental-dump-help",)]:
            self.assertNotIn("scripts/run", typed(*arguments))

    def test_every_command_that_shows_something_prints_json(self):
        """Those that do not: they run on, talk to a person, print one text that is for programs already, or take a file."""
        without = set()

        def visit(command, path):
            path = [*path, command["commandName"]]
            if "subcommands" not in command or len(path) > 1 and path[-1] == "help":
                flags = {name["name"] for each in command.get("arguments", []) for name in each.get("names", [])}
                if "json" not in flags and path[-1] != "help":
                    without.add(" ".join(path[1:]))
            for each in command.get("subcommands", []):
                visit(each, path)

        visit(json.loads(self.done("--experimental-dump-help"))["command"], [])
        self.assertEqual(
            without,
            {"signup", "serve", "sms-stub", "completions", "migrate", "keys make", "keys rotate", "keys rotate-signing",
             "support-bundle", "twilio create-key", "webhooks secret", "webhooks send-test"},
        )
        report = json.loads(self.done("check-config", "--json"))
        self.assertIs(report["is_ok"], True)
        console = next(finding for finding in report["findings"] if finding["subject"] == "console")
        self.assertEqual((console["verdict"], console["text"]), ("ok", "off"))

    def test_in_a_terminal_lists_have_ages_and_short_ids_which_commands_take(self):
        self.run_program("keys", "create", "--name", "shop")
        self.run_program("keys", "create", "--name", "shop", "--scope", "admin")
        whole = [key["id"] for key in json.loads(self.run_program("keys", "list", "--json")[1])["items"]]
        shown, code = pexpect.run(
            f"{PROGRAM} keys list", cwd=self.folder, env=environment(self.folder), encoding="utf-8", withexitstatus=True
        )
        self.assertEqual(code, 0, shown)
        titles, *rows = shown.splitlines()
        self.assertEqual(titles.split("  ")[0], "KEY")
        self.assertRegex(titles, r"^KEY +NAME +SCOPES +CREATED +LAST USED +STATE$")
        self.assertRegex(rows[0], r"  \d+s ago +never +active$")
        short = [row.split()[0] for row in rows]
        for name, long in zip(short, whole):
            prefix = long[: 4 if long.startswith("key_") else 2]
            self.assertEqual(name, prefix + long[-8:])
            self.assertEqual(self.run_program("keys", "revoke", name)[1], f"Revoked {long} of shop.\n")
        self.assertIn("not found", self.refused(1, "keys", "revoke", "key_00000000"))
        self.assertEqual(self.run_program("keys", "revoke", "key_0")[0], 64)

    def test_it_has_a_version(self):
        self.assertRegex(self.run_program("--version")[1], r"^\d+\.\d+\.\d+\n$")

    def test_a_service_has_its_name_in_each_language(self):
        names = {"MESSAGES_SERVICE_NAME": "에이스", "MESSAGES_LOCAL_SERVICE_NAMES": "en=Ace, ja=エース"}
        for locale, text in [("ko", "[에이스] 인증번호"), ("en", "is your Ace code")]:
            number = {"ko": "01011112222\n", "en": "01033334444\n"}[locale]
            self.assertIn(text, self.run_program("signup", "--locale", locale, stdin=number, **names)[1])
        del names["MESSAGES_LOCAL_SERVICE_NAMES"]
        self.assertIn("a name for this language", self.refused(78, "signup", **names))

    def test_check_config_makes_nothing(self):
        code, out, _ = self.run_program("check-config")
        self.assertEqual((code, os.listdir(self.folder)), (0, []))
        self.assertIn("warning   no message leaves this service", out)

    def test_an_operator_adds_a_language_by_a_file(self):
        os.makedirs(f"{self.folder}/texts/sv")
        self.write("texts/sv/texts.yaml", 'sign_in_heading: Logga in\nsend_code: Skicka kod\nnumber_too_short: "Numret är inte klart."\n')
        self.write("texts/sv/verification.txt", "{{code}} är din kod.")
        code, out, _ = self.run_program("check-config", MESSAGES_DIRECTORY=f"{self.folder}/texts")
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"(?m)^warning   pages in sv have \d+ texts in English: session_not_found, .* and \d+ more; add them to "
                              r"sv/texts\.yaml \(messages\.directory\)$")
        with Server(self.folder, MESSAGES_DIRECTORY=f"{self.folder}/texts") as server:
            client = server.client
            page = client.call("GET", "/signup", **{"Accept-Language": "sv-SE, en;q=0.5"}).text
            self.assertIn('<html lang="sv" dir="ltr">', page)
            self.assertIn("Logga in", page)
            self.assertIn("Skicka kod", page)
            # What the file lacks.
            self.assertIn("Phone number", page)
            refused = client.call("POST", "/v1/signups", {"locale": "sv", "region": "SE"})
            path, token = refused.headers["Location"], refused.json["token"]
            answer = client.call("POST", f"{path}/send", {"phone_text": "070"}, token)
            self.assertEqual(answer.json["message"], "Numret är inte klart.")
            self.assertIn("sv", client.call("GET", "/.well-known/openid-configuration").json["ui_locales_supported"])
        self.write("texts/sv/texts.yaml", "send_cod: x")
        self.assertIn("sv/texts.yaml:1: there is no text send_cod; did you mean send_code?", self.refused(78, "serve", MESSAGES_DIRECTORY=f"{self.folder}/texts"))

    def test_limits_can_be_switched_off_for_a_load_test(self):
        with Server(self.folder, LIMITS_ENABLED="false") as server:
            self.assertIn("only the limits per verification and per number are on (limits.enabled)", server.log_text)

    def test_migrate_may_be_run_again(self):
        for first in [True, False]:
            code, out, err = self.run_program("migrate")
            self.assertEqual((code, "In new database" in err), (0, first))
            self.assertIn("is at the current schema", out)

    def test_a_new_database_is_reported_with_its_path(self):
        """A key made in another folder than that of the service is none of the service's."""
        self.run_program("migrate")
        self.assertEqual(self.run_program("backup", "saved")[0], 0)
        keys = f"{self.folder}/phoneproof.keys"
        self.run_program("keys", "make")
        for index, arguments in enumerate([
            ("migrate",), ("keys", "create", "--name", "shop"), ("restore", f"{self.folder}/saved"), ("signup",),
            ("clients", "create", "--name", "Shop", "--redirect-uri", "https://shop.example/"),
            ("copy", "--from", f"sqlite:{self.folder}/phoneproof.sqlite"),
        ]):
            folder = f"{self.folder}/{index}"
            os.mkdir(folder)
            created = f"In new database {os.path.realpath(folder)}/data/phoneproof.sqlite:\n"
            for expected in [1, 0]:
                _, out, err = run(*arguments, folder=folder, DATABASE_URL=None, KEYS_FILE=keys)
                self.assertEqual((err.count(created), out.count(created)), (expected, 0), (arguments, err))
        quiet = self.run_program("restore", "saved", "--quiet", DATABASE_URL="sqlite:quiet.sqlite", KEYS_FILE=keys)
        self.assertEqual((quiet[0], quiet[2]), (0, ""))
        with Server(self.folder, DATABASE_URL="sqlite:new/phoneproof.sqlite") as server:
            path = f"{os.path.realpath(self.folder)}/new/phoneproof.sqlite"
            self.assertRegex(server.log_text, rf"notice .*file={path} created a database\n")

    def test_a_database_that_may_not_be_migrated_is_refused(self):
        self.assertIn("migrate", self.refused(78, "serve", DATABASE_MIGRATE="false"))
        # check-config and doctor report that beforehand.
        fresh = {"DATABASE_URL": "sqlite:fresh/phoneproof.sqlite", "DATABASE_MIGRATE": "false"}
        for command in ("check-config", "doctor"):
            code, out, _ = self.run_program(command, **fresh)
            self.assertEqual(code, 1, out)
            self.assertIn("phoneproof migrate", out)

    def test_what_cannot_be_written_is_no_success(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [PROGRAM, "keys", "create", "--name", "shop"], stdout=full, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                env=environment(self.folder),
            )
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.endswith("phoneproof: the output could not be written: No space left on device\n"), done.stderr)

    def test_metrics_have_a_port_of_their_own(self):
        ports = {"SERVER_PORT": "18080", "METRICS_PORT": "18080"}
        self.assertIn("metrics.port and server.port are both 18080", self.refused(78, "serve", **ports))

    def test_keys_are_rotated_while_codes_are_in_flight(self):
        with Server(self.folder) as server:
            begin = lambda n: server.client.begin(n).json["id"]
            before = begin("01012345678")
            code = server.client.code("+821012345678")
            out = self.run_program("keys", "rotate")[1]
            self.assertIn("has 2 keys", out)
            # Another process seals under the new key, and this service sends the code and checks it.
            with Server(self.folder) as other:
                body = {"phone_number": "01099998888"}
                beside = other.client.call("POST", "/v1/verifications", body).json["id"]
                newer = code_of_any([server, other], "+821099998888")
            for verification, given in [(before, code), (beside, newer)]:
                checked = server.client.check(verification, given)
                self.assertEqual(checked.status, 200)
