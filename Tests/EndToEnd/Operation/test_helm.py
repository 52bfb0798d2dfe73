"""The Helm chart against the plain objects of config/kubernetes.yaml: it is rendered here by as much of Go's templates as it
uses, and what it uses beyond that fails. Helm itself is not started."""

import copy
import hashlib
import json
import re
import unittest

import yaml

from support import ROOT

CHART = ROOT / "config" / "helm"
ACTION = re.compile(r"\s*\{\{- (.+?) -?\}\}|\{\{ (.+?) \}\}", re.S)


class Renderer:
    """`.Values` and other paths, pipes to a few functions, `if` with `end`, and `{{-`, which takes the space before it away."""

    def __init__(self, values, release="phoneproof", namespace="phoneproof"):
        chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
        self.names = {
            "Values": values, "Release": {"Name": release, "Namespace": namespace},
            "Chart": {"AppVersion": chart["appVersion"], "Name": chart["name"]},
        }

    def operand(self, text):
        if text.startswith('"') or text.isdigit():
            return json.loads(text)
        value = self.names
        for name in text.removeprefix(".").split("."):
            # A path that is in no values is a mistake of the chart.
            value = value[name]
        return value

    def value(self, expression):
        first, *pipes = (part.split() for part in expression.split(" | "))
        if len(first) == 3 and first[0] == "ne":
            return self.operand(first[1]) != self.operand(first[2])
        value, = map(self.operand, first)
        for name, *arguments in pipes:
            value = getattr(self, name)(value, *map(self.operand, arguments))
        return value

    def toYaml(self, value):
        return yaml.safe_dump(value, sort_keys=True, default_flow_style=False).rstrip("\n")

    def nindent(self, text, width):
        return "\n" + "\n".join(" " * width + line for line in text.split("\n"))

    def quote(self, value):
        return json.dumps(str(value))

    def sha256sum(self, text):
        return hashlib.sha256(text.encode()).hexdigest()

    def default(self, value, other):
        return value or other

    def render(self, text):
        out, place, shown = [], 0, [True]
        for match in ACTION.finditer(text):
            action = match[1] or match[2]
            if all(shown):
                out.append(text[place:match.start()])
            place = match.end()
            if action.startswith("if "):
                shown.append(all(shown) and bool(self.value(action[3:])))
            elif action == "end":
                shown.pop()
            elif all(shown):
                out.append(str(self.value(action)))
        rendered = "".join(out) + text[place:]
        assert shown == [True] and "{{" not in rendered, rendered
        return rendered

    def objects(self):
        found = {}
        for path in sorted((CHART / "templates").iterdir()):
            for each in yaml.safe_load_all(self.render(path.read_text())):
                found[each["kind"], each["metadata"]["name"]] = each
        return found


def values():
    return yaml.safe_load((CHART / "values.yaml").read_text())


def plain():
    found = yaml.safe_load_all((ROOT / "config" / "kubernetes.yaml").read_text())
    return {(each["kind"], each["metadata"]["name"]): each for each in found if each["kind"] not in ("Namespace", "Secret")}


class HelmTests(unittest.TestCase):
    maxDiff = None

    def test_with_its_own_values_the_chart_is_the_plain_objects(self):
        rendered, expected = Renderer(values()).objects(), plain()
        # The settings are text in both.
        for objects in (rendered, expected):
            data = objects["ConfigMap", "phoneproof"]["data"]
            data["phoneproof.yaml"] = yaml.safe_load(data["phoneproof.yaml"])
        template = rendered["Deployment", "phoneproof"]["spec"]["template"]
        self.assertRegex(template["metadata"].pop("annotations").pop("checksum/settings"), "^[0-9a-f]{64}$")
        self.assertEqual(template["spec"]["containers"][0].pop("imagePullPolicy"), "IfNotPresent")
        self.assertEqual(rendered, expected)

    def test_each_value_has_an_effect(self):
        changes = {
            "image": {"repository": "other", "tag": "7", "pullPolicy": "Always"}, "imagePullSecrets": [{"name": "pull"}],
            "replicas": 9, "settings": {"profile": "development"}, "databaseAuthority": "PEM\nlines\n", "settingsSecret": "a",
            "keysSecret": "b", "service": {"type": "LoadBalancer", "port": 81}, "resources": {"limits": {"memory": "1Gi"}},
            "minAvailable": 1, "podAnnotations": {"a": "b"}, "nodeSelector": {"disk": "ssd"},
            "tolerations": [{"key": "a", "operator": "Exists"}],
        }
        self.assertEqual(changes.keys(), values().keys())
        before = Renderer(values()).objects()
        for name, change in changes.items():
            with self.subTest(name):
                self.assertNotEqual(Renderer({**values(), name: change}).objects(), before)
        settings = Renderer({**values(), "databaseAuthority": "PEM\nlines\n"}).objects()["ConfigMap", "phoneproof"]["data"]
        self.assertEqual(settings["ca.pem"], "PEM\nlines\n")
        one, other = ({**values(), "settings": {"profile": profile}} for profile in ("production", "development"))
        checksums = [
            Renderer(each).objects()["Deployment", "phoneproof"]["spec"]["template"]["metadata"]["annotations"] for each in (one, other)
        ]
        self.assertNotEqual(*checksums)

    def test_two_releases_have_nothing_in_common(self):
        objects = Renderer(values(), release="other", namespace="apps").objects()
        self.assertEqual({name for _, name in objects}, {"other"})
        self.assertEqual({each["metadata"]["namespace"] for each in objects.values()}, {"apps"})
        labels = copy.deepcopy(objects["Deployment", "other"]["spec"]["selector"]["matchLabels"])
        self.assertEqual(labels, {"app.kubernetes.io/name": "other"})
        self.assertEqual(objects["Service", "other"]["spec"]["selector"], labels)
