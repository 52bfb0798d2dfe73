"""Settings that are read again while the service runs: on SIGHUP and by the admin API."""

import os
import signal
import threading

from peer import Receiver
from support import ServiceTestCase, at_once, beside, free_port, wait_for

NUMBER, OTHER = "+821012345678", "+821012349999"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER_SECRET = "whsec_" + "QUFB" * 8


class ReloadTests(ServiceTestCase):
    def begin_with(self, **sections):
        self.write_settings(**sections)
        self.server = self.serve(command=("serve", "--config", "settings.yaml"))
        self.key = self.make_key("admin")
        return self.server.client

    def write_settings(self, **sections):
        lines = []
        for name, settings in sections.items():
            lines.append(f"{name}: {settings}" if isinstance(settings, str) else f"{name}:")
            lines += [f"  {key}: {value}" for key, value in (settings if isinstance(settings, dict) else {}).items()]
        self.write("settings.yaml", "\n".join(lines) + "\n")

    def reload(self, client=None):
        return (client or self.server.client).call("POST", "/v1/admin/reload", {"reason": "ticket 7"}, self.key)

    def hang_up(self, line):
        """Sends SIGHUP and waits for another line like this."""
        before = self.server.log_text.count(line)
        self.server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.server.log_text.count(line) > before, line)

    def reloads(self, result):
        text = self.server.client.call("GET", "/metrics").text
        return next(line for line in text.splitlines() if line.startswith(f'phoneproof_settings_reloads_total{{result="{result}"}}'))[-1]

    def test_rules_texts_and_the_log_change_at_once(self):
        client = self.begin_with(messages={"service_name": "Ace"}, log={"level": "info"})
        first = client.begin(NUMBER)
        self.assertEqual((first.json["checks_left"], len(client.code(NUMBER))), (5, 6))
        self.assertIn("Ace", client.messages(NUMBER)[0])
        self.write_settings(
            messages={"service_name": "Bee"}, log={"level": "error"}, verification={"max_checks": 3, "max_sends": 2},
            limits={"address_signups": "[1/1h]"},
        )
        self.hang_up("the settings were loaded")
        self.assertIn("changed=limits.address_signups, log.level, messages.service_name, verification.max_checks, ", self.server.log_text)
        lines = len(self.server.log_text.splitlines())
        second = client.begin(OTHER)
        self.assertEqual((second.json["checks_left"], second.json["sends_left"]), (3, 1))
        wait_for(lambda: client.messages(OTHER), "a message")
        self.assertIn("Bee", client.messages(OTHER)[0])
        # What was begun keeps its checks; what is asked of it is judged by the new rules.
        self.assertEqual(client.call("GET", first.headers["Location"]).json["checks_left"], 5)
        self.assertEqual([client.call("POST", "/v1/signups", {}).status for _ in range(2)], [201, 429])
        self.assertEqual(len(self.server.log_text.splitlines()), lines)
        # Back to the defaults: a setting that is gone has changed too.
        self.write_settings()
        answer = self.reload()
        self.assertEqual(answer.status, 200, answer.text)
        changed = ["limits.address_signups", "log.level", "messages.service_name", "verification.max_checks", "verification.max_sends"]
        self.assertEqual(answer.json, {"changed": changed, "needs_restart": []})
        self.assertEqual((self.reloads("loaded"), self.reloads("refused")), ("2", "0"))

    def test_what_is_invalid_changes_nothing_and_is_named(self):
        client = self.begin_with(verification={"max_checks": 4})
        self.write_settings(verification={"max_checks": 3}, limits={"daily_budget": "many"}, locale={"languages": "ko"})
        for refused in [self.reload(), self.reload()]:
            self.assertEqual((refused.status, refused.json["code"]), (409, "conflict"))
            self.assertIn("limits.daily_budget is 'many'; it must be a whole number from 0 to 100000000 (line 4, or set", refused.json["detail"])
            self.assertIn("there is no setting locale.languages; did you mean locale.language?", refused.json["detail"])
        self.hang_up("the settings are as before, since the new ones are invalid: limits.daily_budget is 'many'")
        self.write("settings.yaml", "a: [")
        self.hang_up("the new ones are invalid: settings.yaml is not valid YAML")
        self.assertEqual(client.begin(NUMBER).json["checks_left"], 4)
        self.assertEqual((self.reloads("loaded"), self.reloads("refused")), ("0", "4"))
        # What `check-config` finds beyond single values is found here too.
        self.write_settings(messages={"directory": "nowhere"})
        self.assertEqual(self.reload().status, 409)
        self.write_settings(verification={"max_checks": 3})
        self.assertEqual(self.reload().json["changed"], ["verification.max_checks"])
        self.assertEqual(client.begin(OTHER).json["checks_left"], 3)

    def test_words_of_pages_change_with_the_settings_and_not_without(self):
        os.makedirs(f"{self.folder}/texts/en")
        self.write("texts/en/texts.yaml", "send_code: One")
        client = self.begin_with(messages={"directory": "texts"})
        self.assertIn(">One</button>", client.call("GET", "/signup").text)
        self.write("texts/en/texts.yaml", "send_code: Two")
        # Refused for something else: others could read every code.
        self.write_settings(messages={"directory": "texts"}, server={"host": "0.0.0.0"})
        self.assertEqual(self.reload().status, 409)
        self.assertIn(">One</button>", client.call("GET", "/signup").text)
        self.write_settings(messages={"directory": "texts"}, verification={"max_checks": 4})
        self.assertEqual(self.reload().status, 200)
        self.assertIn(">Two</button>", client.call("GET", "/signup").text)

    def test_what_needs_a_restart_is_named_and_stays(self):
        port = free_port()
        client = self.begin_with(sms={"timeout_seconds": 9}, verification={"max_checks": 4})
        self.write_settings(
            profile="production", server={"port": port, "max_body_bytes": 1024}, sms={"timeout_seconds": 8, "gateway": "twilio"},
            verification={"max_checks": 3}, tokens={"issuer": "https://phone.example.com", "idle_days": 7}, console={"port": 8090},
        )
        answer = self.reload()
        # A whole file must be one that would start.
        self.assertEqual(answer.status, 409)
        self.assertIn("sms.gateway names twilio, which needs sms.twilio.account_sid", answer.json["detail"])
        self.write_settings(
            server={"port": port, "max_body_bytes": 1024}, sms={"timeout_seconds": 8},
            verification={"max_checks": 3}, tokens={"issuer": "https://phone.example.com", "idle_days": 7}, console={"port": 8090},
        )
        answer = self.reload()
        self.assertEqual(
            answer.json,
            {
                "changed": ["tokens.idle_days", "verification.max_checks"],
                "needs_restart": ["console.port", "server.max_body_bytes", "server.port", "sms.timeout_seconds", "tokens.issuer"],
            },
        )
        for key in answer.json["needs_restart"]:
            wait_for(lambda: f"{key} changed: needs a restart" in self.server.log_text, key)
        self.assertEqual(client.begin(NUMBER).json["checks_left"], 3)
        self.assertEqual(client.call("GET", "/.well-known/openid-configuration").json["issuer"], self.server.url.replace(f":{self.server.port}", ""))
        # They are named until there was one.
        self.assertEqual(self.reload().json["needs_restart"], answer.json["needs_restart"])
        entry = self.listed("audit", "--action", "reload_settings", "--config", "settings.yaml")["items"]
        self.assertEqual([found["reason"] for found in entry], ["ticket 7", "ticket 7"])
        self.assertEqual(
            entry[1]["subject"],
            "tokens.idle_days, verification.max_checks, console.port (needs a restart), server.max_body_bytes (needs a restart), "
            "server.port (needs a restart), sms.timeout_seconds (needs a restart), tokens.issuer (needs a restart)",
        )

    def test_routes_and_prices_change_within_the_gateways_that_run(self):
        client = self.begin_with(sms={"gateway": "[stub, console]"})
        client.begin(NUMBER)
        wait_for(lambda: client.messages(NUMBER), "a message")
        self.write_settings(sms={"gateway": "[stub, console]", "routes": "{KR: [console]}", "prices": "{console: {KR: 0.04}}"})
        self.assertEqual(self.reload().json["changed"], ["sms.prices.console.KR", "sms.routes.KR"])
        client.begin(OTHER)
        wait_for(lambda: "[SMS, not sent] to +82 10-****-9999" in self.server.log_text, "the message on standard error")
        self.assertEqual(client.messages(OTHER), [])
        gateways = client.call("GET", "/v1/admin/gateways", token=self.key).json
        self.assertEqual([item["name"] for item in gateways["items"]], ["stub", "console"])
        self.write_settings(sms={"gateway": "[stub, console, http]", "routes": "{KR: [http]}", "http": "{url: 'http://127.0.0.1:9/'}"})
        answer = self.reload()
        self.assertEqual(answer.status, 409)
        self.assertIn("http", answer.json["detail"])

    def test_a_hook_and_its_secret_change_and_what_is_under_way_keeps_the_old_one(self):
        asked, answer = threading.Event(), threading.Event()

        def wait(_):
            asked.set()
            answer.wait(30)
            return 200, {"decision": "deny"}

        hook = self.enter(Receiver(SECRET, wait))
        self.write("secret", SECRET)
        hooks = {"before_send": f"{{url: '{hook.hooks}', secrets_file: secret, timeout_milliseconds: 10000}}"}
        client = self.begin_with(hooks=hooks)
        with beside(lambda _: self.assertEqual(self.server.client.begin(NUMBER).json["code"], "send_denied"), [1]):
            self.assertTrue(asked.wait(30))
            self.write("secret", OTHER_SECRET)
            self.assertEqual(self.reload().json["changed"], ["hooks.before_send.secrets"])
            self.write_settings(verification={"max_checks": 3})
            self.assertEqual(self.reload().status, 200)
            # This one asks nobody.
            self.assertEqual(client.begin(OTHER).json["checks_left"], 3)
            answer.set()
        self.assertEqual((len(hook.requests), hook.wrong), (1, []))

    def test_each_request_sees_the_settings_of_one_moment(self):
        rules = [{"max_checks": 3, "max_sends": 4}, {"max_checks": 7, "max_sends": 8}]
        client = self.begin_with(verification=rules[0], limits={"enabled": "false"})
        seen, over = set(), threading.Event()

        def begin(worker):
            for each in range(60):
                found = client.begin(f"+82102{worker}0{each:04}").json
                seen.add((found["checks_left"], found["sends_left"]))

        def reload(_):
            turn = 0
            while not over.is_set():
                turn += 1
                self.write_settings(verification=rules[turn % 2], limits={"enabled": "false"})
                answer = self.reload()
                self.assertEqual((answer.status, answer.json["needs_restart"]), (200, []))

        with beside(reload, [1]):
            try:
                at_once(begin, [10, 20, 30])
            finally:
                over.set()
        self.assertEqual(seen, {(3, 3), (7, 7)})

    def test_a_listener_beside_it_follows_too(self):
        port = free_port()
        self.begin_with(console={"port": port, "https": "false"})
        self.write_settings(console={"port": port, "https": "true"})
        self.assertEqual(self.reload().json, {"changed": ["console.https"], "needs_restart": []})

    def test_a_command_has_nothing_to_reload(self):
        """And a client without the scope may not."""
        client = self.begin_with()
        self.assertEqual(client.call("POST", "/v1/admin/reload", {"reason": "x"}, self.make_key()).status, 403)
        self.assertEqual(client.call("POST", "/v1/admin/reload", {}, self.key).status, 422)
