"""The commands, called rightly and wrongly: output, exit code, and one line that says what to do."""

import json
import os
import subprocess

import pexpect

from support import PROGRAM, TWILIO, Server, ServiceTestCase, code_of_any, environment, run


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
        self.assertIn("server.port", self.refused(78, "serve", SERVER_PORT="http"))
        self.assertIn("verification.code_length", self.refused(78, "serve", VERIFICATION_CODE_LENGTH=3))
        self.assertIn("database.url", self.refused(78, "serve", DATABASE_URL="mysql://db"))
        self.assertIn("keys.file", self.refused(78, "serve", DATABASE_URL="postgresql://db"))
        self.assertIn("verification.allowed_regions", self.refused(78, "signup", VERIFICATION_ALLOWED_REGIONS="KR,ZZ"))
        self.assertIn("messages.service_name", self.refused(78, "signup", MESSAGES_SERVICE_NAME="a\nb"))
        self.assertIn("local_service_names", self.refused(78, "signup", MESSAGES_LOCAL_SERVICE_NAMES="Ace"))
        self.assertIn("retention.days", self.refused(78, "serve", VERIFICATION_FAILURE_LOCKOUT_SECONDS=2_592_000))
        self.assertIn("nope.yaml", self.refused(78, "serve", "--config", "nope.yaml"))

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

    def test_check_config_names_the_proxies(self):
        def proxies(*arguments, **settings):
            code, out, _ = self.run_program("check-config", *arguments, **settings)
            self.assertEqual(code, 0, out)
            return next(line for line in out.splitlines() if line.startswith("proxies"))

        self.assertEqual(proxies(), "proxies   none")
        self.write("settings.yaml", 'server:\n  trusted_proxies: ["127.0.0.1", "::1", "FD00::/8", 10.0.0.0/8]\n')
        named = ("--config", "settings.yaml")
        self.assertEqual(proxies(*named), "proxies   127.0.0.1, ::1, fd00::/8, 10.0.0.0/8 by x-forwarded-for")
        self.assertEqual(proxies(*named, SERVER_TRUSTED_PROXIES="none"), "proxies   none")
        one = {"SERVER_TRUSTED_PROXIES": "::ffff:10.0.0.0/104, 127.0.0.1/32", "SERVER_FORWARDED_HEADER": "forwarded"}
        self.assertEqual(proxies(*named, **one), "proxies   10.0.0.0/8, 127.0.0.1 by forwarded")
        for text in ["none", "[]", "[none]", ""]:
            self.write("settings.yaml", f"server:\n  trusted_proxies: {text}\n")
            self.assertEqual(proxies(*named), "proxies   none", text)

    def test_a_misspelt_setting_is_an_error(self):
        self.write("settings.yaml", "verification:\n  max_check: 3\n")
        self.assertIn("verification.max_check", self.refused(78, "serve", "--config", "settings.yaml"))
        self.write("settings.yaml", "database: [1\n")
        self.assertIn("not valid YAML", self.refused(78, "serve", "--config", "settings.yaml"))

    def test_a_misspelt_setting_is_answered_with_its_line_and_the_right_one(self):
        for text, line, key, meant in [
            *((f"server:\n  {name}: 1\n", 2, f"server.{name}", "server.port") for name in ["prt", "prot", "Port", "ports"]),
            ("SERVER:\n  port: 1\n", 2, "SERVER.port", "server.port"),
            ("sms:\n  gatway: [stub]\n", 2, "sms.gatway", "sms.gateway"),
            ("log:\n  lvl: info\n", 2, "log.lvl", "log.level"),
            ("# guard\n\nguard: {mod: off}\n", 3, "guard.mod", "guard.mode"),
            ("tokens:\n  isuer: https://a.example\n", 2, "tokens.isuer", "tokens.issuer"),
            ("limits:\n  address_send: 1/1h\n", 2, "limits.address_send", "limits.address_sends"),
            ("sms:\n  http:\n    header: []\n", 3, "sms.http.header", "sms.http.headers"),
            ("sms:\n  twilio:\n    auth_tokn_file: x\n", 3, "sms.twilio.auth_tokn_file", "sms.twilio.auth_token_file"),
            ("twilio:\n  from: \"1\"\n", 2, "twilio.from", "sms.twilio.from"),
            ("sms:\n  vonage:\n  from: Ace\n", 3, "sms.from", "sms.vonage.from"),
            ("server:\nport: 1\n", 2, "port", "server.port"),
            ("console:\nlog:\n  level: info\nport: 1\n", 4, "port", "console.port"),
            ("port: 1\n", 1, "port", "server.port"),
        ]:
            self.write("settings.yaml", text)
            said = self.refused(78, "serve", "--config", "settings.yaml")
            self.assertIn(f"settings.yaml, line {line}: there is no setting {key}; did you mean {meant}?", said)
        for text, key, meant in [
            ("server: 8080\n", "server", "server.port"), ("supabase: true\n", "supabase", "supabase.enabled"),
            ("sms:\n  gateways: [stub]\n", "sms.gateways", "sms.gateway"),
        ]:
            self.write("settings.yaml", text)
            said = self.refused(78, "serve", "--config", "settings.yaml")
            self.assertIn(f"there is no setting {key}; it is a section; did you mean {meant}?", said)
        self.write("settings.yaml", "server:\n  frobnicate: 1\n")
        said = self.refused(78, "serve", "--config", "settings.yaml")
        self.assertIn("line 2: there is no setting server.frobnicate; remove it, or see config/reference.yaml", said)

    def test_an_invalid_value_is_answered_with_its_line_and_a_region_with_the_right_one(self):
        self.write("settings.yaml", "server:\n  port: http\n")
        named = ("--config", "settings.yaml")
        self.assertIn("from 0 to 65535 (line 2, or set PHONEPROOF_SERVER_PORT)", self.refused(78, "serve", *named))
        for text in ["locale: {region: UK}\n", "verification:\n  allowed_regions: [KR, UK]\n", "auth_hooks: {region: UK}\n"]:
            self.write("settings.yaml", text)
            self.assertRegex(self.refused(78, "serve", *named), r"is 'UK'; .*; did you mean GB\?$")
        code, _, err = self.run_program("number", "07400 123456", "--region", "UK")
        self.assertEqual((code, err.splitlines()[0]), (64, "Error: The value 'UK' is invalid for '--region <region>'. Did you mean 'GB'?"))

    def test_a_misspelt_variable_is_an_error(self):
        said = self.refused(78, "serve", VERIFICATION_MAX_CHEKS=1)
        self.assertIn("PHONEPROOF_VERIFICATION_MAX_CHEKS is not a setting; did you mean PHONEPROOF_VERIFICATION_MAX_CHECKS?", said)
        said = self.refused(78, "serve", SMS_TWILIO_AUTH_TOKN="x")
        self.assertIn("did you mean PHONEPROOF_SMS_TWILIO_AUTH_TOKEN?", said)
        beside_a_service_of_kubernetes = {"SERVICE_HOST": "10.0.0.1", "PORT": "tcp://10.0.0.1:80", "PORT_80_TCP": "x"}
        variables = {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}
        self.assertEqual(self.run_program("check-config", variables=variables, **beside_a_service_of_kubernetes)[0], 0)
        said = self.refused(78, "serve", PORT="9090")
        self.assertIn("PHONEPROOF_PORT is not a setting; did you mean PHONEPROOF_SERVER_PORT?", said)

    def test_check_config_sees_a_folder_that_cannot_be_written(self):
        code, out, _ = self.run_program("check-config", DATABASE_URL="sqlite:/etc/passwd/phoneproof/p.sqlite")
        self.assertEqual(code, 1)
        self.assertIn("error     folder /etc/passwd is not writable", out)

    def test_check_config_ends_with_a_verdict(self):
        def check(**settings):
            code, out, err = self.run_program("check-config", **settings)
            self.assertEqual(err, "")
            return code, out.splitlines()

        code, lines = check()
        self.assertEqual(len([line for line in lines if line.startswith("warning ")]), 1)
        self.assertEqual((code, lines[-1]), (0, "OK: serve would start, 1 warning"))
        code, lines = check(PROFILE="production", SERVER_HOST="0.0.0.0")
        errors = [line for line in lines if line.startswith("error ")]
        self.assertEqual((code, len(errors)), (1, 2))
        self.assertRegex(lines[-1], r"^FAILED: serve would not start, 2 errors, \d+ warnings$")
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

    def test_check_config_names_every_dock(self):
        lines = self.done("check-config").splitlines()
        for line in ["console   off", "hooks     off", "firebase  off", "camara    off", "supabase  off"]:
            self.assertIn(line, lines)
        self.assertIn("verify    /v2 of Twilio Verify", "\n".join(lines))
        settings = {"CONSOLE_PORT": 8090, "CONSOLE_HOST": "0.0.0.0", "CAMARA_ENABLED": "true", "TWILIO_VERIFY_ENABLED": "false",
                    "SUPABASE_ENABLED": "true", "SUPABASE_API_KEYS": "sb_publishable_shop", "AUTH_HOOKS_LOGTO_SECRET": "s" * 16}
        lines = self.done("check-config", **settings).splitlines()
        for line in ["console   0.0.0.0:8090 (other machines too), http, by API keys", "hooks     /v1/hooks/logto",
                     "camara    /one-time-password-sms/v1", "verify    off",
                     "supabase  /auth/v1, for apps with 1 key, which are no secrets"]:
            self.assertIn(line, lines)
        self.assertTrue([line for line in lines if line.startswith("warning ") and line.endswith("(console.host)")], lines)

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

    def test_every_region_may_have_codes_where_nothing_leaves_this_machine(self):
        def regions(**settings):
            out = self.run_program("check-config", **settings)[1]
            return next(line for line in out.splitlines() if line.startswith("regions"))

        self.assertEqual(regions(), "regions   all 245, for local development")
        self.assertEqual(regions(SMS_GATEWAY="console"), "regions   all 245, for local development")
        twilio = {"SMS_GATEWAY": "twilio", **TWILIO}
        for settings in [
            {"PROFILE": "production"}, {"SERVER_HOST": "0.0.0.0", "SMS_STUB_ALLOW_REMOTE": "true"},
            {"SERVER_TRUSTED_PROXIES": "127.0.0.1"}, {"VERIFICATION_ALLOWED_REGIONS": "KR"}, twilio,
            {**twilio, "SMS_GATEWAY": "stub,twilio"},
        ]:
            self.assertEqual(regions(**settings), "regions   KR", settings)

    def test_it_has_a_version(self):
        self.assertRegex(self.run_program("--version")[1], r"^\d+\.\d+\.\d+\n$")

    def test_a_flag_overrides_the_environment_and_that_the_file(self):
        self.write("settings.yaml", "verification:\n  code_length: 7\n  max_checks: 3\n")
        lines = self.run_program("check-config", "--config", "settings.yaml", VERIFICATION_MAX_CHECKS=2)[1]
        self.assertIn("7 digits, 600 s, 2 checks", lines)

    def test_a_service_has_its_name_in_each_language(self):
        names = {"MESSAGES_SERVICE_NAME": "에이스", "MESSAGES_LOCAL_SERVICE_NAMES": "en=Ace, ja=エース"}
        for locale, text in [("ko", "[에이스] 인증번호"), ("en", "is your Ace code")]:
            number = {"ko": "01011112222\n", "en": "01033334444\n"}[locale]
            self.assertIn(text, self.run_program("signup", "--locale", locale, stdin=number, **names)[1])
        del names["MESSAGES_LOCAL_SERVICE_NAMES"]
        self.assertIn("a name for this language", self.refused(78, "signup", **names))

    def test_check_config_makes_nothing_and_says_what_would_not_start(self):
        code, out, _ = self.run_program("check-config")
        self.assertEqual((code, os.listdir(self.folder)), (0, []))
        self.assertIn("warning   no message leaves this service", out)
        code, out, _ = self.run_program("check-config", SERVER_HOST="0.0.0.0")
        self.assertEqual(code, 1)
        self.assertIn("error     the SMS stub shows every code", out)
        self.assertEqual(self.run_program("check-config", SERVER_PORT="x")[0], 1)

    def test_check_config_lists_sets_of_texts_and_says_where_one_is_wrong(self):
        def check(**settings):
            return self.run_program("check-config", MESSAGES_DIRECTORY=self.folder, **settings)[:2]

        def write(place, text):
            os.makedirs(f"{self.folder}/templates/{place}", exist_ok=True)
            with open(f"{self.folder}/templates/{place}/verification.txt", "w") as file:
                file.write(text)

        self.assertNotIn("\ntemplates ", check()[1])
        write("order/ko", "{{code}} {{order}}")
        write("order/en", "{{code}} {{shop}}")
        write("login/ko", "{{code}}")
        code, out = check()
        self.assertEqual(code, 0, out)
        lines = out.splitlines()
        self.assertIn("templates login (ko), order (en, ko; {{order}} {{shop}})", lines)
        self.assertIn(
            "warning   template login has no text in en: requests for a language it lacks are refused "
            "(messages.directory)", lines,
        )
        self.assertNotIn("warning   template", check(LOCALE_LANGUAGE="ko")[1])
        write("order/en", "Hello\n{{code}} {{Shop}}")
        code, out = check()
        self.assertEqual(code, 1)
        self.assertIn(
            f"error     {self.folder}/templates/order/en/verification.txt:2: {{{{Shop}}}} can be no variable: "
            "a template's own are named by 1 to 20 lower-case letters, digits and underscores", out.splitlines(),
        )
        self.assertIn("verification.txt:2: {{Shop}}", self.refused(78, "serve", MESSAGES_DIRECTORY=self.folder))

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
        code, out, _ = self.run_program("check-config", LIMITS_ENABLED="false")
        self.assertEqual(code, 0)
        self.assertIn("warning   only the limits per verification and per number are on", out)
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
        self.assertEqual(self.run_program("check-config", METRICS_HOST="0.0.0.0", **ports)[0], 1)
        # Two addresses may each have it.
        self.assertEqual(self.run_program("check-config", METRICS_HOST="127.0.0.2", **ports)[0], 0)

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
