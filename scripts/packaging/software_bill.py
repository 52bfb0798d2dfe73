"""What a program of ours is made of, for scripts/package: an SPDX bill (https://spdx.github.io/spdx-spec/v2.3), and the
licences that must go with it."""

import hashlib
import json
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

# By their first words. A package with other words is an error: somebody must read them.
LICENSES = {
    "Apache-2.0": r"\s*Apache License\s+Version 2\.0",
    "MIT": r"\s*(The )?MIT License|.{0,200}Permission is hereby granted, free of charge",
}


class Part:
    """A Swift package whose objects are in the program."""

    def __init__(self, folder, pin):
        state = pin["state"]
        self.name, self.location, self.revision = pin["identity"], pin["location"], state["revision"]
        self.version = state.get("version", self.revision)
        self.texts = [path.read_text() for path in sorted([*folder.glob("LICENSE*"), *folder.glob("NOTICE*")])]
        if not self.texts:
            sys.exit(f"scripts/package: {self.name} comes without a license; it cannot be passed on")
        self.license = license_of(self.name, (next(folder.glob("LICENSE*"))).read_text())


def license_of(name, text):
    for identifier, words in LICENSES.items():
        if re.match(words, text, flags=re.S):
            # Swift's own packages let what is compiled into a program off.
            swift = identifier == "Apache-2.0" and "Runtime Library Exception" in text
            return "Apache-2.0 WITH Swift-exception" if swift else identifier
    sys.exit(f"scripts/package: the license of {name} is none of {', '.join(LICENSES)}; read it, and name it in {__file__}")


def parts(build, objects):
    """The packages that the linked objects are from: those that declare a target of the name of a module."""
    pins = {pin["identity"]: pin for pin in json.loads(Path("Package.resolved").read_text())["pins"]}
    ours = {path.name for folder in ("Sources", "Tests", ".") for path in Path(folder).glob("*/*")}
    modules = {match[1] for match in re.finditer(r"/([^/\n]+)\.build/", objects.read_text())} - ours
    folders = {folder.name.lower(): folder for folder in (build / "checkouts").iterdir()}
    found, unknown = [], set(modules)
    for identity, pin in sorted(pins.items()):
        manifest = (folders[identity] / "Package.swift").read_text()
        inside = {module for module in modules if re.search(rf'name:\s*"{re.escape(module)}"\s*[,)]', manifest)}
        unknown -= inside
        if inside:
            found.append(Part(folders[identity], pin))
    if unknown:
        sys.exit(f"scripts/package: no package in {build}/checkouts declares {', '.join(sorted(unknown))}")
    return found


def libraries(program):
    """The Debian packages of the libraries that the program opens, with their versions."""
    needed = re.findall(r"NEEDED\s+(\S+)", subprocess.check_output(["objdump", "-p", program], text=True))
    paths = dict(re.findall(r"(\S+) => (\S+) \(", subprocess.check_output(["ldd", program], text=True)))
    found = set()
    for path in (paths[name] for name in needed if name in paths):
        # dpkg knows a file by the path that its package gave it, before or after /usr was merged.
        for known in (path, str(Path(path).resolve()), path.removeprefix("/usr"), f"/usr{path}"):
            done = subprocess.run(["dpkg-query", "-S", known], capture_output=True, text=True)
            if done.returncode == 0:
                break
        else:
            sys.exit(f"scripts/package: no package of this system has {path}")
        package = done.stdout.split(": ")[0].split(",")[0]
        found.add(tuple(subprocess.check_output(
            ["dpkg-query", "-W", "-f", "${Package} ${Version}", package], text=True).split()))
    return sorted(found)


def bill(name, version, commit, epoch, architecture, swift, swift_parts, debian):
    """The document. It has nothing of the machine or of today in it: two builds of a commit give the same."""
    def package(identifier, name, version, license, download="NOASSERTION", reference=None, **more):
        entry = {
            "SPDXID": identifier, "name": name, "versionInfo": version, "downloadLocation": download,
            "filesAnalyzed": False, "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION",
            **more,
        }
        if reference:
            entry["externalRefs"] = [
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}
            ]
        return entry

    own = package("SPDXRef-phoneproof", name, version, "NOASSERTION", primaryPackagePurpose="APPLICATION")
    runtime = package("SPDXRef-swift", "swift", swift, "Apache-2.0 WITH Swift-exception",
                      f"git+https://github.com/swiftlang/swift@swift-{swift}-RELEASE")
    linked = [runtime] + [
        package(
            f"SPDXRef-swift-package-{part.name}", part.name, part.version, part.license,
            f"git+{part.location.removesuffix('.git')}@{part.revision}",
            f"pkg:swift/{part.location.removeprefix('https://').removesuffix('.git')}@{part.version}",
        )
        for part in swift_parts
    ]
    opened = [
        package(f"SPDXRef-debian-{name.replace('+', '-plus')}", name, version, "NOASSERTION",
                reference=f"pkg:deb/debian/{name.replace('+', '%2B')}@{version.replace('+', '%2B')}?arch={architecture}")
        for name, version in debian
    ]

    def relation(kind, others):
        return [{"spdxElementId": "SPDXRef-phoneproof", "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}
                for other in others]

    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{version}-{architecture}-{commit}",
        "creationInfo": {
            "created": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: phoneproof-scripts-package"],
        },
        "documentDescribes": ["SPDXRef-phoneproof"],
        "packages": [own, *linked, *opened],
        "relationships": relation("STATIC_LINK", linked) + relation("DYNAMIC_LINK", opened),
    }
    return json.dumps(document, indent=2) + "\n"


def licenses(name, swift_parts, runtime):
    """Each text once, with what it is of: what Debian calls copyright, and the licenses ask for."""
    by_text = {}
    for part, text in [("swift (its runtime and Foundation)", runtime), *((p.name, t) for p in swift_parts for t in p.texts)]:
        names = by_text.setdefault(hashlib.sha256(text.encode()).hexdigest(), (text, []))[1]
        if part not in names:
            names.append(part)
    head = f"{name} contains the following packages, each under the terms below. scripts/package made this file.\n"
    return head + "".join(f"\n{'=' * 78}\n{', '.join(names)}\n{'=' * 78}\n\n{text}" for text, names in by_text.values())


def main(program, build, objects, version, commit, epoch, architecture, swift_home, bill_path, licenses_path):
    swift = re.search(r"Swift version (\S+)", subprocess.run(
        [f"{swift_home}/bin/swift", "--version"], capture_output=True, text=True, check=True).stdout)[1]
    swift_parts = parts(Path(build), Path(objects))
    Path(bill_path).write_text(
        bill("phoneproof", version, commit, int(epoch), architecture, swift, swift_parts, libraries(program)))
    runtime = Path(swift_home, "share/swift/LICENSE.txt").read_text()
    Path(licenses_path).write_text(licenses("phoneproof", swift_parts, runtime))


if __name__ == "__main__":
    main(*sys.argv[1:])
