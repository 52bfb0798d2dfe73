"""Checks the README, the articles and the files of settings: every snippet is run, and what they name exists."""

import base64
import contextlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

import pexpect

from certificates import make_authority, make_certificate
from documentation import ARTICLES, DOCKS, PAGES, all_blocks, blocks, expects, masked
from postgresql import PostgreSQL
from support import MODULES, PROGRAM, ROOT, Client, Server, environment, free_port, listens, other_than, run, wait_for

NUMBERS = ["+821012345678", "+821087654321"]
# Where a page sleeps until a message has arrived, the test waits for just that.
AWAIT_MESSAGE = """
arrived=0
sleep() {
    until [ "$(curl -s "$api/stub/messages" | grep -o '"sid"' | wc -l)" -gt "$arrived" ]; do command sleep 0.05; done
    arrived=$((arrived + 1))
}
"""


def folder_with_program(folder):
    """Creates `phoneproof`, `scripts/run` and `config` in the folder, as the pages expect them."""
    for name in ["bin/phoneproof", "scripts/run"]:
        path = os.path.join(folder, name)
        os.mkdir(os.path.dirname(path))
        with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o755), "w") as file:
            file.write(f'#!/bin/sh\nexec {shlex.quote(PROGRAM)} "$@"\n')
    os.symlink(ROOT / "config", os.path.join(folder, "config"))


def files_of_settings(folder):
    """Real files for the paths in pages and settings."""
    certificate, key = make_certificate(folder, "service", make_authority(folder, "authority"))
    paths = {"/etc/phoneproof/tls/fullchain.pem": certificate, "/etc/phoneproof/tls/privkey.pem": key}
    paths |= {"/etc/phoneproof/ca.pem": certificate, "/etc/phoneproof/phoneproof.keys": f"{folder}/phoneproof.keys"}
    run("keys", "make", folder=folder, KEYS_FILE=f"{folder}/phoneproof.keys")
    secret = "whsec_" + base64.b64encode(bytes(24)).decode()
    private = subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, text=True, check=True).stdout
    account = {"type": "service_account", "client_email": "a@b.example", "private_key": private}
    hook = "v1,whsec_" + base64.b64encode(bytes(32)).decode()
    paths["/etc/phoneproof/apple-app-attest.pem"] = certificate
    curve = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-outform", "DER"]
    made = subprocess.run(curve, capture_output=True, check=True).stdout
    public = subprocess.run(["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"], input=made, capture_output=True, check=True)
    contents = {
        "webhooks": secret, "before-send": secret, "otlp-headers": "api-key=1", "firebase.json": json.dumps(account),
        "play-integrity.json": json.dumps(account), "network-proof": private,
        "supabase-hook": hook, "play-decryption": base64.b64encode(bytes(32)).decode(),
        "play-verification": base64.b64encode(public.stdout).decode(),
    }
    for name in ["webhooks", "otlp-headers", "twilio", "sens", "solapi", "aws", "aws-session", "vonage", "sms", "whatsapp",
                 "whatsapp-app", "vonage.key", "vonage-signature", "receipts", "kannel", "jasmin", "modem", "phone",
                 "aliyun", "tencent", "msg91", "kavenegar", "plivo", "verify", "dialog", "telegram", "vonage-rcs",
                 "before-send", "captcha", "play-decryption", "play-verification", "play-integrity.json", "network-proof", "turnstile", "firebase.json", "supabase-hook", "auth0-hook", "logto-hook",
                 "zitadel-hook", "authentik-hook", "kratos-hook", "fusionauth-hook", "generic-hook"]:
        path = paths[f"/run/secrets/{name}"] = f"{folder}/{name}"
        with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(contents.get(name, "secret-of-16-characters"))
    return paths


def check(folder, settings):
    """What check-config prints for these settings, except their source: exit code, errors, lines."""
    arguments = []
    if settings is not None:
        with open(f"{folder}/settings.yaml", "w") as file:
            file.write(settings)
        arguments = ["--config", "settings.yaml"]
    env = {name: value for name, value in environment(folder).items() if not name.startswith("PHONEPROOF_")}
    done = subprocess.run([PROGRAM, "check-config", *arguments], capture_output=True, text=True, cwd=folder, env=env)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("settings")]
    return done.returncode, done.stderr, lines


class SnippetTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        folder_with_program(cls.folder)
        os.mkdir(f"{cls.folder}/etc")
        # The database of a service that is stopped.
        run("migrate", "--database", "sqlite:data/phoneproof.sqlite", folder=cls.folder)
        # All pages use the same two numbers.
        cls.settings = {"SERVER_INSECURE_NO_KEYS": None, "VERIFICATION_RESEND_COOLDOWNS_SECONDS": 0}
        cls.server = Server(cls.folder, **cls.settings)
        cls.addClassCleanup(cls.server.close)

    def test_every_block_is_run_or_says_why_not(self):
        """Blocks that are not run are listed in NOT_RUN, so that the list does not grow unnoticed."""
        every = [block for path in PAGES for block in blocks(path)]
        fences = sum(len(re.findall(r"^ *```", path.read_text(), re.M)) for path in PAGES)
        self.assertEqual(fences, 2 * len(every))
        known = {"sh", "json", "text", "console", "yaml", "python", "swift", "ini", "html", "kotlin", "ts"}
        self.assertEqual([block.place for block in every if block.language not in known], [])
        # What docks do not run is their own affair.
        docks = {path.name for path in DOCKS}
        not_run = [(block.page, block.reason) for block in every if block.reason and block.page not in docks]
        self.assertEqual(sorted(not_run), sorted(NOT_RUN))

    def test_shell_lines_print_what_the_pages_show(self):
        for path in PAGES:
            page = [block for block in blocks(path) if not block.reason and block.language in ("sh", "json", "text")]
            if any(block.language == "sh" for block in page):
                self.server.client.call("DELETE", "/stub/messages")
                with self.subTest(path.stem):
                    self.run_page(page)
                if any("/sign-up" in block.text for block in page):
                    for number in NUMBERS:
                        run("erase", number, "--yes", folder=self.folder)

    def run_page(self, page):
        """Runs all commands of a page in one shell, and compares their output with the block that follows."""
        lines = []
        for block in page:
            if block.language == "sh":
                lines += [block.text, f"printf '\\n<<{block.place}>>\\n'\n"]
        script = "".join([AWAIT_MESSAGE, *lines]).replace("http://127.0.0.1:8080", f"http://127.0.0.1:{self.server.port}")
        script = script.replace("/etc/phoneproof", f"{self.folder}/etc")
        if "postgresql://" in script:
            script = re.sub("postgresql://[^']*", self.postgresql_url(), script)
        env = environment(self.folder, **self.settings)
        env["PATH"] = f"{self.folder}/bin:{env['PATH']}"
        done = subprocess.run(
            ["bash", "-euc", script], capture_output=True, text=True, timeout=60, cwd=self.folder, env=env,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        printed = dict(reversed(part) for part in re.findall(r"(.*?)\n<<(.*?)>>\n", done.stdout, re.S))
        for before, block in zip([None, *page], page):
            if block.language != "sh":
                self.assertEqual(before and before.language, "sh", f"{block.place} follows no command")
                output = printed[before.place]
                self.assertTrue(expects(block, output), f"{block.place} must show:\n{masked(output)}")

    def postgresql_url(self):
        server = PostgreSQL()
        self.addCleanup(server.close)
        return server.url

    def test_conversations_in_a_terminal(self):
        for block in all_blocks("console"):
            with self.subTest(block.place), tempfile.TemporaryDirectory() as folder:
                folder_with_program(folder)
                self.converse(block, folder)

    def converse(self, block, folder):
        """Types what the block shows after each question. The code of the message stands for the one that was really sent."""
        command, *lines = block.text.splitlines()
        program, *arguments = shlex.split(command.removeprefix("$ "))
        child = pexpect.spawn(
            program, arguments or ["signup", "--locale", "en"], cwd=folder, env=environment(folder, {"NO_COLOR": "1"}),
            encoding="utf-8", timeout=20, dimensions=(24, 200),
        )
        self.addCleanup(child.close, force=True)
        child.delaybeforesend = None
        code, sent = None, re.search(r"(\d{6}) is", block.text)[1]
        for line in lines:
            question, _, typed = line.partition(": ")
            if re.fullmatch(r"[\d-]{6,}", typed):
                child.expect_exact(f"{question}: ")
                child.send("\x15" + {sent: code}.get(typed, typed) + "\r")
            else:
                pattern = masked(line).replace("CODE", "\0").replace("ID", "\1")
                child.expect(re.escape(pattern).replace("\0", r"(\d{6})").replace("\1", "[0-9a-f]{32}"))
                code = child.match[1] if child.match.re.groups else code
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(child.exitstatus, 0)

    def test_servers_of_node_verify_a_number_and_receive_the_webhook(self):
        verify, receive = all_blocks("ts")
        secret, hooks, shop = run("webhooks", "secret")[1].strip(), free_port(), free_port()
        self.assertLessEqual(len([line for line in verify.text.splitlines() if line.strip()]), 15)
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            server = stack.enter_context(Server(
                folder, WEBHOOKS_URL=f"http://127.0.0.1:{hooks}/", WEBHOOKS_SECRETS=secret, SERVER_INSECURE_NO_KEYS=None,
            ))
            key = run("keys", "create", "--name", "shop", folder=folder)[1].strip()
            variables = {"PHONEPROOF_API_KEY": key, "API_URL": server.url, "WEBHOOK_SECRET": secret}
            for block, port in [(verify, shop), (receive, hooks)]:
                path = pathlib.Path(folder, f"{port}.mjs")
                # Older ones do not take the type away.
                path.write_text(block.text.replace(": any", ""))
                process = stack.enter_context(subprocess.Popen(
                    ["node", path], stdout=subprocess.PIPE, text=True, env={**os.environ, **variables, "PORT": str(port)},
                ))
                stack.callback(process.kill)
            client, receiver = Client(shop), Client(hooks)
            for each in (client, receiver):
                wait_for(lambda port=each.port: listens(port), "a server of Node")
            begun = client.call("POST", "/send", {"phone_number": "+821012345678"})
            self.assertEqual((begun.status, begun.json["status"]), (201, "pending"), begun.text)
            code = server.client.code("+821012345678")
            wrong = client.call("POST", "/check", {"id": begun.json["id"], "code": other_than(code)})
            self.assertEqual((wrong.status, wrong.json["code"]), (422, "code_incorrect"))
            self.assertEqual(client.call("POST", "/check", "{bad").status, 400)
            right = client.call("POST", "/check", {"id": begun.json["id"], "code": code})
            self.assertEqual((right.status, right.json["status"]), (200, "approved"))
            self.assertEqual(receiver.call("POST", "/", {"type": "forged"}).status, 401)
            seen = {process.stdout.readline().strip() for _ in range(2)}
            self.assertEqual(seen, {"message.delivered", "verification.approved"})

    def test_settings_of_the_pages_are_valid(self):
        with tempfile.TemporaryDirectory() as folder:
            folder_with_program(folder)
            paths = files_of_settings(folder)
            for block in all_blocks("yaml"):
                with self.subTest(block.place):
                    text = re.sub(r"/(?:run/secrets|etc/phoneproof)/[\w./-]+", lambda match: paths[match[0]], block.text)
                    code, error, lines = check(folder, text)
                    self.assertEqual((code, error), (0, ""), lines)

    def test_swift_compiles(self):
        modules = os.path.join(os.path.dirname(PROGRAM), "Modules")
        with tempfile.TemporaryDirectory() as folder:
            for block in all_blocks("swift"):
                with self.subTest(block.place):
                    path = f"{folder}/{block.page}{block.line}.swift"
                    with open(path, "w") as file:
                        file.write(block.text)
                    done = subprocess.run(
                        ["swiftc", "-typecheck", "-swift-version", "6", "-module-cache-path", folder, "-I", modules, path],
                        capture_output=True, text=True,
                    )
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_site_has_every_page(self):
        modules = pathlib.Path(PROGRAM).parent / "Modules"
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [ROOT / "scripts/docs", "--modules", modules, "--output", f"{folder}/site"], capture_output=True, text=True,
            )
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            for page in ["phoneproof/swift", "phonedomain/tour", "phonenumbers/parseanumber", "phoneviewmodel/testit",
                         "phoneproofclient/accesstokenverifier", "phonesignup/phoneusecase", "reactive/observable"]:
                self.assertTrue(os.path.exists(f"{folder}/site/documentation/{page}/index.html"), page)

    def test_swift_prints_what_the_pages_show(self):
        """Lines that print and have a comment, of pages that need no more than the libraries for numbers and the flow."""
        build = pathlib.Path(PROGRAM).parent
        modules = ["PhoneNumbers", "PhoneSignup", "Reactive", "PhoneViewModel"]
        sources = [path for module in modules for path in MODULES[module].rglob("*.swift")]
        objects = [build / f"{path.relative_to(ROOT).parts[2]}.build" / f"{path.name}.o" for path in sources]
        pages = [block for block in all_blocks("swift") if re.search(r"^ *print\(.*\) *// ", block.text, re.M)]
        self.assertGreaterEqual(len(pages), 4)
        with tempfile.TemporaryDirectory() as folder:
            for block in pages:
                with self.subTest(block.place):
                    file = pathlib.Path(folder, "main.swift")
                    file.write_text(block.text)
                    subprocess.run(
                        ["swiftc", "-swift-version", "6", "-module-cache-path", folder, "-I", build / "Modules", file, *objects,
                         "-o", f"{folder}/page"], check=True,
                    )
                    printed = subprocess.run([f"{folder}/page"], capture_output=True, text=True, check=True).stdout
                    shown = re.findall(r"^ *print\(.*\) *// (.*)$", block.text, re.M)
                    self.assertEqual(printed.split("\n")[:-1], [part for line in shown for part in line.split(", ")])


NOT_RUN = [
    ("Abuse", "what the program gets"),
    ("CheckAccessTokens", "needs the trait; test_package.py runs it in a server of its own"),
    ("CheckAccessTokens", "needs the trait; test_package.py runs it in a server of its own"),
    ("CheckAccessTokens", "needs the trait, and a library for OAuth 2"),
    ("CheckAccessTokens", "needs Vapor"),
    ("Devices", "it waits for a person; test_devices.py answers it"),
    ("DriveTheFlow", "needs SwiftUI; test_package.py checks the types of the whole sample"),
    ("IdentityProviders", "the configuration of Logto's connector; Tests/Clients/test_identity_providers.py plays it"),
    ("IdentityProviders", "the body of a request to Supabase Auth; Tests/Clients/test_identity_providers.py plays it"),
    ("Messages", "texts of pages, and no settings"),
    ("README", "installs packages, and would start this very test again"),
    ("Production", "needs systemd and the installed package"),
    ("Production", "needs systemd and the installed package"),
    ("Production", "a unit of systemd"),
    ("Production", "needs a PostgreSQL server of yours"),
    ("SeveralInstances", "needs a PostgreSQL server of yours, and asks for a password"),
    ("SignInWithYourPhone", "needs AppAuth for iOS"),
    ("SignInWithYourPhone", "needs AppAuth for Android"),
    ("SignInWithYourPhone", "a part of Apache's configuration; Tests/EndToEnd/Accounts/test_apache.py runs the same"),
    ("StaySignedIn", "needs CryptoKit"),
    ("Swift", "a part of your Package.swift"),
    ("Swift", "for swift-openapi-generator"),
    ("Tour", "a diagram"),
    ("VerifyFromAServer", "a part of your server, with PhoneProofAsyncHTTPClient"),
]


class NameTests(unittest.TestCase):
    """What the pages name exists: other pages, files, commands and their flags, settings, calls and error codes."""

    def mentions(self, pattern):
        texts = {path.stem: re.sub(r"<!--.*?-->", "", path.read_text(), flags=re.S) for path in PAGES}
        found = {(match, page) for page, text in texts.items() for match in re.findall(pattern, text)}
        self.assertGreater(len(found), 3, pattern)
        return found

    def test_links_lead_somewhere(self):
        for path in PAGES:
            text = path.read_text()
            # A code host shows these as text.
            self.assertEqual(re.findall(r"<doc:[^>]+>", text), [], path.stem)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if not target.startswith("https://"):
                    self.assertTrue((path.parent / target).exists(), f"{path.stem}: {target}")
        index = (ARTICLES / "phoneproof.md").read_text()
        for path in ARTICLES.rglob("*.md"):
            if path.stem != "phoneproof":
                self.assertIn(f"]({path.relative_to(ARTICLES)})", index)
                self.assertIn(f"/{path.name})", PAGES[0].read_text())

    def test_pages_are_short(self):
        long = {path.stem: len(path.read_text().splitlines()) for path in [PAGES[0], *ARTICLES.rglob("*.md")]}
        self.assertLessEqual(long.pop("README"), 150)
        self.assertEqual({name: lines for name, lines in long.items() if lines >= 250}, {})

    def test_files_exist(self):
        for name, page in self.mentions(r"[`( ]((?:scripts|Sources|Tests|config)/[\w/.+-]*[\w/])"):
            self.assertTrue((ROOT / name).exists(), f"{page}: {name}")

    def test_commands_and_flags_exist(self):
        code, out, _ = run("--experimental-dump-help")
        self.assertEqual(code, 0)
        commands = {}

        def add(command, names):
            names = [*names, command["commandName"]]
            flags = {f"--{name['name']}" for each in command.get("arguments", []) for name in each.get("names", [])}
            commands[" ".join(names)] = flags
            for each in command.get("subcommands", []):
                add(each, names)

        add(json.loads(out)["command"], [])
        groups = {name.split()[1] for name in commands if name.count(" ") == 2}
        for words, page in self.mentions(r"(?:phoneproof|scripts/run) ((?:[a-z][a-z-]*|--[a-z-]+)(?: [\w./+:…-]+)*)"):
            words = words.split()
            names = [words[0]] + ([words[1]] if words[0] in groups and len(words) > 1 else [])
            name = " ".join(["phoneproof", *names])
            if words[0] in ("help", "phoneproof"):
                continue
            self.assertIn(name, commands, page)
            for flag in words:
                if flag.startswith("--"):
                    self.assertIn(flag, commands[name], f"{page}: {name}")
        for name, page in self.mentions(r"`((?:keys|guard|limits|outbox|webhooks|accounts) [a-z-]+)`"):
            self.assertIn(f"phoneproof {name}", commands, page)

    def test_settings_and_variables_exist(self):
        keys, sections, reference = set(), [], run("check-config", "--reference")[1]
        for line in reference.splitlines():
            if match := re.match(r"( *)#?(\w+):( |$)", line):
                sections[len(match[1]) // 2:] = [match[2]]
                keys.add(".".join(sections))
        tops = "|".join({key.split(".")[0] for key in keys} - {"profile"})
        events = set(re.search(r"#events: \[(.*)\]", reference)[1].split(", "))
        for key, page in self.mentions(rf"`((?:{tops})\.[\w.]+\w)[`:]"):
            self.assertTrue({key, f"{key}_file"} & keys or key in events or key.endswith(".txt"), f"{page}: {key}")
        variables = {"PHONEPROOF_" + key.replace(".", "_").upper() for key in keys}
        variables |= {name.removesuffix("_FILE") for name in variables}
        for name, page in self.mentions(r"PHONEPROOF_[A-Z_]+[A-Z]"):
            self.assertIn(name, variables | {"PHONEPROOF_API_KEY", "PHONEPROOF_TESTS"}, page)

    def test_calls_and_error_codes_are_those_of_the_description(self):
        text = (ARTICLES / "Use" / "API.md").read_text()
        rows = [row.split(" | ") for row in text.splitlines() if row.startswith("| `")]
        with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
            described = server.client.call("GET", "/openapi.json").json
        calls = {
            f"{method.upper()} {path}"
            for path, methods in described["paths"].items() for method in methods if method in ("get", "post", "patch", "delete")
        }
        shown = set()
        for row in rows:
            for methods, path in re.findall(r"((?:`?[A-Z]+`?,? )+)(/[^`]*)`", row[0]):
                shown |= {f"{method} {path}" for method in re.findall("[A-Z]+", methods)}
        self.assertEqual(shown, calls)
        source = (MODULES["PhoneHTTP"] / "Requests" / "Problem.swift").read_text()
        codes = re.findall(r"^ +case (?:\w+ = \"(\w+)\"|(\w+)$)", source, re.M)
        listed = {code for row in rows for code in re.findall(r"`([a-z]+(?:_[a-z]+)*)`", row[0])} - {"phone_number", "code"}
        self.assertLessEqual({a or b for a, b in codes}, listed)

    def test_every_metric_is_in_the_article_on_the_dashboard_and_known_to_the_alerts(self):
        source = (MODULES["Telemetry"] / "MetricFamily.swift").read_text()
        metrics = set(re.findall(r'"((?:phoneproof|process)_\w+)"', source))
        article = (ARTICLES / "Operation" / "Monitoring.md").read_text()
        self.assertEqual(metrics - set(re.findall(r"`((?:phoneproof|process)_\w+)`", article)), set())
        dashboard = json.loads((ROOT / "config" / "grafana.json").read_text())
        shown = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
        self.assertEqual([name for name in sorted(metrics) if name.startswith("phoneproof") and name not in shown], [])
        alerts = ROOT / "config" / "alerts.yaml"
        for name in re.findall(r"(?:phoneproof|process)_\w+", shown + alerts.read_text()):
            self.assertIn(re.sub("_(bucket|sum|count)$", "", name), metrics)
        done = subprocess.run(["promtool", "check", "rules", alerts], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rules = {"groups": [{"name": "panels", "rules": [
            {"record": "panel", "expr": target["expr"].replace("$job", ".*")} for panel in dashboard["panels"] for target in panel["targets"]
        ]}]}
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/panels.json"
            with open(path, "w") as file:
                json.dump(rules, file)
            done = subprocess.run(["promtool", "check", "rules", "--lint=none", path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class AgreementTests(unittest.TestCase):
    """What is said of one thing in several places is the same everywhere, and true."""

    def said(self, pattern):
        """Each text that the pattern's group has, and where."""
        files = [*PAGES, *(path for path in (ROOT / "config").rglob("*") if path.is_file())]
        found = [(match, path.name) for path in files for match in re.findall(pattern, path.read_text())]
        self.assertGreater(len(found), 1, pattern)
        return found

    def test_how_long_it_takes_to_stop(self):
        source = (MODULES["PhoneService"] / "Services.swift").read_text()
        milliseconds = int(re.search(r"deadline: Duration = \.milliseconds\((\d+)\)", source)[1])
        self.assertEqual(-(-milliseconds // 1000), 10)
        for seconds, page in self.said(r"(?:SIGTERM|ends by itself)[^.]* within (\w+)\s+seconds"):
            self.assertIn(seconds, ["ten", "10"], page)

    def test_a_database_on_a_server_is_verified(self):
        for mode, page in self.said(r"sslmode=([\w-]+)"):
            # The two of a Compose file have a network of their own.
            self.assertEqual(mode, "disable" if page == "compose.yaml" else "verify-full", page)

    def test_a_database_is_saved_by_the_program(self):
        for path in PAGES:
            for paragraph in path.read_text().split("\n\n"):
                if "pg_dump" in paragraph:
                    self.assertIn("`phoneproof backup`", paragraph, path.stem)

    def test_what_the_description_leaves_out_and_what_signs_tokens(self):
        with tempfile.TemporaryDirectory() as folder, Server(folder) as server:
            described = server.client.call("GET", "/openapi.json").json
            metadata = server.client.call("GET", "/.well-known/openid-configuration").json
        rest = re.search(r"Not part of this API: (.*?)\.\s*$", described["info"]["description"], re.S)[1]
        for path in re.findall(r"`(/[\w./-]+)", rest):
            self.assertEqual([each for each in described["paths"] if each.startswith(path)], [], path)
        algorithms = metadata["id_token_signing_alg_values_supported"]
        libraries = 0
        for path in PAGES:
            for sentence in re.split(r"(?<=[.:;])\s", path.read_text()):
                if re.search(r"(openapi\.json|/docs)`.*every call", sentence):
                    self.assertRegex(sentence, r"every call of (this article|the\s\[API\])", path.stem)
                # RS256 is what every library expects by default (OpenID Connect Core 1.0 section 15.1).
                if "RS256" not in algorithms and re.search(r"\b([Aa]ny|[Ee]very)\b[^.]*\blibrary\b", sentence):
                    libraries += 1
                    self.assertIn(algorithms[0], sentence, path.stem)
        self.assertTrue(libraries or "RS256" in algorithms)


class SettingsFileTests(unittest.TestCase):
    def test_the_reference_of_settings_is_what_the_program_prints(self):
        code, out, error = run("check-config", "--reference")
        self.assertEqual((code, error), (0, ""))
        # Those of every dock are in it.
        self.assertEqual(out, (ROOT / "config" / "reference.yaml").read_text(), "phoneproof check-config --reference")
        for section in ["auth_hooks", "console", "firebase", "camara", "supabase", "twilio_verify"]:
            self.assertIn(f"\n{section}:\n", out)
        lines = out.splitlines()
        for before, line in zip(lines, lines[1:]):
            if re.match(r" *#\w+: ", line):
                self.assertRegex(before, r"^ *# \S", f"{line} is not documented")
        self.assertGreater(len(re.findall(r"^ *#\w+: ", out, flags=re.M)), 150)

    def test_every_setting_of_the_shipped_files_exists(self):
        """Each line with its comment sign removed is a setting that the program knows, and in the reference its default."""
        live = {
            name: re.sub(r"^( *)#(\w+: )", r"\1\2", (ROOT / "config" / f"{name}.yaml").read_text(), flags=re.M)
            for name in ["phoneproof", "reference"]
        }
        live["phoneproof"] = live["phoneproof"].replace("profile: production", "profile: development")
        self.assertGreater(len(re.findall(r"^ *\w+: \S", live["phoneproof"], flags=re.M)), 15)
        defaults = re.sub(r"( *# Not set by default; for example:\n).*\n", r"\1", live["reference"])
        # Set, it applies in local development as well.
        self.assertIn("  allowed_regions: [KR]\n", defaults)
        defaults = defaults.replace("  allowed_regions: [KR]\n", "")
        self.assertLess(len(defaults.splitlines()), len(live["reference"].splitlines()))
        with tempfile.TemporaryDirectory() as folder:
            paths = {**files_of_settings(folder), "config/messages": ROOT / "config" / "messages"}
            for text in live.values():
                for path, real in paths.items():
                    text = text.replace(path, str(real))
                self.assertEqual(check(folder, text)[0], 0, check(folder, text))
            self.assertEqual(check(folder, defaults), check(folder, None))
