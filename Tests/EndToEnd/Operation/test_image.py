"""What makes a release: what it refuses, and the OCI image that it makes without a container engine, judged by the rules of the OCI image specification 1.1
(https://github.com/opencontainers/image-spec): layout, index, manifest, configuration and layer."""

import gzip
import hashlib
import importlib.machinery
import importlib.util
import io
import json
import os
import re
import tarfile
import tempfile
import unittest
from pathlib import Path

import yaml

from support import ROOT


def load(name, path):
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


oci_image, release = load("oci_image", "scripts/packaging/oci_image.py"), load("release", "scripts/release")

DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
# image-index.md, manifest.md, config.md and layer.md.
TYPES = {"index": "application/vnd.oci.image.index.v1+json", "manifest": "application/vnd.oci.image.manifest.v1+json",
         "config": "application/vnd.oci.image.config.v1+json", "layer": "application/vnd.oci.image.layer.v1.tar+gzip"}


def blob(layout, descriptor, kind, faults):
    """The content that a descriptor names (descriptor.md)."""
    if descriptor.get("mediaType") != TYPES[kind]:
        faults.append(f"{kind}: the media type is {descriptor.get('mediaType')}")
    if not DIGEST.fullmatch(descriptor.get("digest", "")):
        faults.append(f"{kind}: {descriptor.get('digest')} is no digest")
        return b"{}"
    path = layout / "blobs" / descriptor["digest"].replace(":", "/")
    content = path.read_bytes() if path.exists() else b""
    if f"sha256:{hashlib.sha256(content).hexdigest()}" != descriptor["digest"]:
        faults.append(f"{kind}: the blob is missing or another one")
    if len(content) != descriptor.get("size"):
        faults.append(f"{kind}: the size is wrong")
    return content


def faults_of(layout):
    faults = []
    if json.loads((layout / "oci-layout").read_text()) != {"imageLayoutVersion": "1.0.0"}:
        faults.append("oci-layout: it must say version 1.0.0")
    index = json.loads((layout / "index.json").read_text())
    if index.get("schemaVersion") != 2 or index.get("mediaType") != TYPES["index"]:
        faults.append("index: the schema version or the media type is wrong")
    for descriptor in index["manifests"]:
        if set(descriptor.get("platform", {})) < {"architecture", "os"}:
            faults.append("index: a manifest has no platform")
        faults += manifest_faults(layout, json.loads(blob(layout, descriptor, "manifest", faults)), descriptor)
    return faults


def manifest_faults(layout, manifest, descriptor):
    faults = []
    if manifest.get("schemaVersion") != 2 or manifest.get("mediaType") != TYPES["manifest"]:
        faults.append("manifest: the schema version or the media type is wrong")
    image = json.loads(blob(layout, manifest["config"], "config", faults))
    for name in ("architecture", "os"):
        if image.get(name) != descriptor.get("platform", {}).get(name):
            faults.append(f"config: another {name} than the index says")
    if not TIME.fullmatch(image.get("created", "")):
        faults.append("config: created is no time of RFC 3339")
    if image.get("rootfs", {}).get("type") != "layers":
        faults.append("config: rootfs.type must be layers")
    layers = [gzip.decompress(blob(layout, layer, "layer", faults) or gzip.compress(b"")) for layer in manifest["layers"]]
    if [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers] != image.get("rootfs", {}).get("diff_ids"):
        faults.append("config: diff_ids are not those of the unpacked layers")
    if sum(not entry.get("empty_layer") for entry in image.get("history", [])) != len(layers):
        faults.append("config: history has another number of layers")
    config = image.get("config", {})
    for name, kind in {"User": str, "WorkingDir": str, "StopSignal": str, "Env": list, "Entrypoint": list, "Cmd": list,
                       "ExposedPorts": dict, "Volumes": dict, "Labels": dict}.items():
        if name in config and not isinstance(config[name], kind):
            faults.append(f"config: {name} is no {kind.__name__}")
    faults += [f"config: {each} is no variable" for each in config.get("Env", []) if not re.fullmatch(r"\w+=.*", each)]
    faults += [f"config: {each} is no port" for each in config.get("ExposedPorts", {}) if not re.fullmatch(r"\d+(/tcp|/udp)?", each)]
    faults += [f"config: {name} is none that the specification has" for name in set(config) - {
        "User", "ExposedPorts", "Env", "Entrypoint", "Cmd", "Volumes", "WorkingDir", "Labels", "StopSignal"}]
    for layer in layers:
        with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
            names = tar.getnames()
        if len(set(names)) != len(names):
            faults.append("layer: a path is in it twice")
        faults += [f"layer: {name} is not below the root" for name in names if name.startswith("/") or ".." in name.split("/")]
    return faults


class ReleaseTests(unittest.TestCase):
    def reasons(self, version):
        # What is uncommitted is of no concern here.
        return [reason for reason in release.reasons(version) if "no commit" not in reason]

    def test_this_version_is_the_same_everywhere_and_another_is_refused(self):
        source = (ROOT / next(iter(release.PLACES))).read_text()
        version = re.search(r'static let version = "(.+)"', source)[1]
        self.assertEqual(self.reasons(version), [])
        refused = self.reasons("99.0.0")
        self.assertEqual(refused[:-2], [f"{place} has version {version}" for place in release.PLACES])
        self.assertEqual(refused[-2], "Changelog.md has no section 99.0.0")
        self.assertIn("Tests/EndToEnd/Released has nothing of 99.0.0", refused[-1])
        self.assertEqual(self.reasons("1")[0], "1 is no version such as 0.1.0")

    def test_whatever_starts_a_container_uses_the_image_of_the_release(self):
        source = (ROOT / next(iter(release.PLACES))).read_text()
        version = re.search(r'static let version = "(.+)"', source)[1]
        named = {}
        for path in sorted((ROOT / "config").rglob("*")):
            if path.is_file() and (found := re.findall(r"registry\.example/phoneproof(?::([\w.-]+))?", path.read_text())):
                named[str(path.relative_to(ROOT / "config"))] = set(found)
        # The chart has the version of its own, as test_helm.py shows.
        self.assertEqual(named.pop("helm/values.yaml"), {""})
        self.assertEqual(named, {name: {version} for name in ("Containerfile", "compose.yaml", "kubernetes.yaml")})
        containerfile = (ROOT / "config/Containerfile").read_text().replace("\\\n", " ")
        times, command = re.search(r"^HEALTHCHECK (.*) CMD (.*)$", containerfile, re.M).groups()
        given = dict(each.lstrip("-").split("=") for each in times.split())
        service = yaml.safe_load((ROOT / "config/compose.yaml").read_text())["services"]["phoneproof"]
        check = {name.replace("_", "-"): str(value) for name, value in service["healthcheck"].items() if name != "test"}
        self.assertEqual((check, service["healthcheck"]["test"]), (given, ["CMD", *json.loads(command)]))
        self.assertEqual(service["image"], f"registry.example/phoneproof:{version}")
        # What the release makes is the file that this comment and the last words of scripts/release name.
        for path in ("config/compose.yaml", "scripts/release"):
            text = (ROOT / path).read_text().replace("{version}", version)
            self.assertIn(f"phoneproof-{version}-oci-", text, path)

    def test_an_archive_depends_on_its_files_alone(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name, "files")
            (folder / "a").mkdir(parents=True)
            (folder / "a" / "b").write_text("b")
            (folder / "c").write_text("c")
            release.archive(folder, "chart", Path(name, "one.tgz"), 1_767_323_045)
            for path in folder.rglob("*"):
                os.utime(path, (1, 1))
            release.archive(folder, "chart", Path(name, "other.tgz"), 1_767_323_045)
            self.assertEqual(Path(name, "one.tgz").read_bytes(), Path(name, "other.tgz").read_bytes())
            with tarfile.open(Path(name, "one.tgz")) as tar:
                self.assertEqual(tar.getnames(), ["chart", "chart/a", "chart/a/b", "chart/c"])


class ImageTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.files = self.folder / "files"
        for path, text, mode in [("usr/bin/phoneproof", "program", 0o755), ("etc/passwd", "root", 0o644),
                                 ("var/lib/phoneproof/.keep", "", 0o600), ("tmp/.keep", "", 0o644)]:
            (self.files / path).parent.mkdir(parents=True, exist_ok=True)
            (self.files / path).write_text(text)
            (self.files / path).chmod(mode)
        (self.files / "var/lib/phoneproof").chmod(0o700)
        (self.files / "tmp").chmod(0o1777)

    def make(self, name="layout"):
        digest = oci_image.make(self.files, self.folder / name, "1.2.3", "abc", 1_767_323_045, "amd64")
        return self.folder / name, digest

    def image(self, layout):
        manifest = json.loads(blob(layout, json.loads((layout / "index.json").read_text())["manifests"][0], "manifest", []))
        return manifest, json.loads(blob(layout, manifest["config"], "config", []))

    def test_it_keeps_the_specification_and_says_what_the_Containerfile_says(self):
        layout, _ = self.make()
        self.assertEqual(faults_of(layout), [])
        manifest, image = self.image(layout)
        self.assertEqual(image["config"], {
            "User": "65532:65532", "WorkingDir": "/var/lib/phoneproof", "Volumes": {"/var/lib/phoneproof": {}},
            "Env": ["PATH=/usr/bin", "PHONEPROOF_SERVER_HOST=0.0.0.0"], "ExposedPorts": {"8080/tcp": {}}, "StopSignal": "SIGTERM",
            "Entrypoint": ["/usr/bin/phoneproof"], "Cmd": ["serve"],
            "Labels": {
                "org.opencontainers.image.title": "phoneproof", "org.opencontainers.image.version": "1.2.3",
                "org.opencontainers.image.revision": "abc", "org.opencontainers.image.created": "2026-01-02T03:04:05Z",
            },
        })
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(blob(layout, manifest["layers"][0], "layer", [])))) as tar:
            entries = {entry.name: (oct(entry.mode), entry.uid, entry.gid, entry.mtime) for entry in tar}
        time = 1_767_323_045
        self.assertEqual(entries["usr/bin/phoneproof"], ("0o755", 0, 0, time))
        self.assertEqual(entries["tmp"], ("0o1777", 0, 0, time))
        self.assertEqual(entries["var/lib"][1:3], (0, 0))
        self.assertEqual(entries["var/lib/phoneproof"], ("0o700", 65532, 65532, time))

    def test_the_same_files_give_the_same_image(self):
        first, digest = self.make()
        for path in self.files.rglob("*"):
            os.utime(path, (1, 1))
        second, again = self.make("again")
        self.assertEqual(digest, again)
        self.assertEqual({path.name for path in first.rglob("*")}, {path.name for path in second.rglob("*")})
        (self.files / "etc/passwd").write_text("another")
        self.assertNotEqual(self.make("other")[1], digest)

    def test_the_rules_find_what_is_wrong(self):
        def changed(change):
            layout, _ = self.make(f"wrong{len(list(self.folder.iterdir()))}")
            change(layout)
            return faults_of(layout)

        def rewrite(layout, path, change):
            value = json.loads((layout / path).read_text())
            change(value)
            (layout / path).write_text(json.dumps(value))

        wrong = [
            lambda layout: rewrite(layout, "oci-layout", lambda value: value.update(imageLayoutVersion="2")),
            lambda layout: rewrite(layout, "index.json", lambda value: value.update(schemaVersion=1)),
            lambda layout: rewrite(layout, "index.json", lambda value: value["manifests"][0].update(size=1)),
            lambda layout: rewrite(layout, "index.json", lambda value: value["manifests"][0]["platform"].update(architecture="arm64")),
            lambda layout: rewrite(layout, "index.json", lambda value: value["manifests"][0].pop("platform")),
        ]
        for change in wrong:
            self.assertNotEqual(changed(change), [])
        layout, _ = self.make("cut")
        manifest, _ = self.image(layout)
        (layout / "blobs" / manifest["layers"][0]["digest"].replace(":", "/")).write_bytes(gzip.compress(bytes(10_240)))
        self.assertIn("layer: the blob is missing or another one", faults_of(layout))
        self.assertIn("config: diff_ids are not those of the unpacked layers", faults_of(layout))
