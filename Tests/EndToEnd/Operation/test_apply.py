"""Clients, keys and guard rules as a file describes them."""

import json
import os
import stat

from support import ServiceTestCase

OBJECTS = """
clients:
  - name: Shop
    redirect_uris: [https://shop.example/cb]
    secret_file: shop.secret
  - {name: App, public: true, redirect_uris: ["com.example.app:/cb"]}
keys:
  - {name: shop-backend, scopes: [verifications, accounts], secret_file: backend.key}
guard_rules:
  - {prefix: "+8210123", action: block}
  - {prefix: "+8210124", action: allow}
"""


class ApplyTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.key = self.make_key("admin")

    def write_objects(self, text):
        return self.write("objects.yaml", text)

    def apply(self, *arguments):
        return self.listed("apply", "objects.yaml", *arguments)

    def changes(self, *arguments):
        return [(change["act"], change["kind"], change["name"], change["members"]) for change in self.apply(*arguments)["changes"]]

    def all(self, path):
        return self.server.client.call("GET", f"/v1/admin/{path}", token=self.key).json["items"]

    def live(self, path):
        return sorted(item["name"] for item in self.all(path) if item["revoked_at"] is None)

    def test_what_is_missing_is_made_once_and_what_is_gone_is_revoked(self):
        self.write_objects(OBJECTS)
        planned = self.done("apply", "objects.yaml", "--plan")
        self.assertEqual(
            planned,
            "+ client Shop\n+ client App\n+ key shop-backend\n+ guard rule +8210123\n+ guard rule +8210124\n"
            "5 would change, 0 unchanged.\n",
        )
        self.assertEqual((self.live("clients"), os.path.exists(f"{self.folder}/objects.yaml.state")), ([], False))
        self.assertEqual(planned.replace("5 would change", "5 changed"), self.done("apply", "objects.yaml", "--reason", "ticket 7"))
        self.assertEqual(self.live("clients"), ["App", "Shop"])
        self.assertEqual(sorted((rule["prefix"], rule["action"]) for rule in self.all("guard/rules")), [("+8210123", "block"), ("+8210124", "allow")])
        # The secrets are in files for their owner alone, and work.
        for name in ["shop.secret", "backend.key"]:
            self.assertEqual(stat.S_IMODE(os.stat(f"{self.folder}/{name}").st_mode), 0o600)
        with open(f"{self.folder}/backend.key") as file:
            secret = file.read().strip()
        self.assertEqual(self.server.client.call("GET", "/v1/phone-numbers/1", token=secret).status, 200)
        with open(f"{self.folder}/objects.yaml.state") as file:
            state = file.read()
        self.assertEqual({kind: sorted(names) for kind, names in json.loads(state).items()}, {
            "clients": ["App", "Shop"], "guard_rules": ["+8210123", "+8210124"], "keys": ["shop-backend"],
        })
        self.assertNotIn(secret, state)
        self.assertEqual(self.done("apply", "objects.yaml"), "0 changed, 5 unchanged.\n")
        entry, = self.listed("audit", "--action", "create_client", "--limit", "1")["items"]
        self.assertEqual(entry["reason"], "ticket 7")
        self.write_objects("""
clients:
  - name: Shop
    redirect_uris: [https://shop.example/cb, https://shop.example/other]
    secret_file: shop.secret
guard_rules:
  - {prefix: "+8210123", action: allow}
""")
        wanted = [
            ("update", "clients", "Shop", ["redirect_uris"]), ("update", "guard_rules", "+8210123", ["action"]),
            ("remove", "clients", "App", []), ("remove", "keys", "shop-backend", []), ("remove", "guard_rules", "+8210124", []),
        ]
        self.assertEqual(self.changes("--plan"), wanted)
        self.assertEqual(self.changes(), wanted)
        self.assertEqual(self.changes(), [])
        self.assertEqual((self.live("clients"), self.live("keys")), (["Shop"], ["admin"]))
        self.assertEqual([(rule["prefix"], rule["action"]) for rule in self.all("guard/rules")], [("+8210123", "allow")])
        self.assertEqual(self.server.client.call("GET", "/v1/phone-numbers/1", token=secret).status, 401)

    def test_what_others_made_is_changed_and_never_removed(self):
        self.create_client("--name", "Shop", "--redirect-uri", "https://shop.example/old")
        self.done("guard", "block", "+8210123")
        self.write_objects(OBJECTS)
        self.assertEqual(self.changes()[0], ("update", "clients", "Shop", ["redirect_uris"]))
        self.assertFalse(os.path.exists(f"{self.folder}/shop.secret"))
        self.write_objects("")
        self.assertEqual({change[:3] for change in self.changes()}, {
            ("remove", "clients", "App"), ("remove", "keys", "shop-backend"), ("remove", "guard_rules", "+8210124"),
        })
        self.assertEqual((self.live("clients"), self.live("keys")), (["Shop"], ["admin"]))
        self.assertEqual([rule["prefix"] for rule in self.all("guard/rules")], ["+8210123"])
        # What somebody revoked meanwhile is made anew.
        self.write_objects("keys: [{name: k, secret_file: k1}]")
        self.changes()
        key = next(item for item in self.all("keys") if item["name"] == "k")
        self.done("keys", "revoke", key["id"])
        os.remove(f"{self.folder}/k1")
        self.assertEqual(self.changes(), [("create", "keys", "k", [])])

    def test_what_is_wrong_is_named_and_nothing_is_done(self):
        for text, said in [
            ("clients: [{name: A, secret_file: a, colour: red}]", "line 1: a client has no colour"),
            ("keys: [{name: a}]", "key a must have a secret_file, into which its secret is written once"),
            ("keys: [{name: a, secret_file: a}, {name: a, secret_file: b}]", "key a is there twice"),
            ("guard_rules: [{action: block}]", "line 1: a guard rule must have a prefix"),
            ("test_numbers: []", "line 1: there are no objects test_numbers; it is a setting; put it into the configuration"),
            ("people: []", "line 1: there are no objects people; remove it"),
            ("keys: {}", "line 1: keys must be a list"), ("a: [", "it is not valid YAML"),
        ]:
            self.write_objects(text)
            self.assertIn(f"objects.yaml: {said}", self.refused(1, "apply", "objects.yaml"))
        self.assertIn("cannot be read", self.refused(1, "apply", "nowhere.yaml"))
        # A secret needs a place before its object is made; what was made before that is known.
        self.write_objects('clients: [{name: App, public: true, redirect_uris: ["com.example.app:/cb"]}]\nkeys: [{name: k, secret_file: taken}]')
        self.write("taken", "mine")
        self.assertIn("taken cannot be written: it exists already", self.refused(1, "apply", "objects.yaml"))
        self.assertEqual((self.live("clients"), self.live("keys")), (["App"], ["admin"]))
        os.remove(f"{self.folder}/taken")
        self.assertEqual(self.changes(), [("create", "keys", "k", [])])
        # What the API refuses leaves no file.
        self.write_objects("clients: [{name: Bad, redirect_uris: ['http://shop.example/cb'], secret_file: bad}]")
        code, _, err = self.run_program("apply", "objects.yaml")
        self.assertNotEqual(code, 0, err)
        self.assertFalse(os.path.exists(f"{self.folder}/bad"))
        self.write("objects.yaml.state", "?")
        self.assertIn("is not what apply has written", self.refused(1, "apply", "objects.yaml"))

    def test_a_service_elsewhere_is_asked(self):
        self.write_objects(OBJECTS)
        variables = {"PHONEPROOF_API_KEY": self.key}
        code, out, err = self.run_program("apply", "objects.yaml", "--server", self.server.url, "--reason", "ci", variables=variables)
        self.assertEqual((code, err), (0, ""), out)
        self.assertTrue(out.endswith("5 changed, 0 unchanged.\n"))
        code, out, _ = self.run_program("apply", "objects.yaml", "--server", self.server.url, "--reason", "ci", variables=variables)
        self.assertEqual((code, out), (0, "0 changed, 5 unchanged.\n"))
