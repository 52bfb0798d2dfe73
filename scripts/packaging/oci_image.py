"""Writes the files of a container's image (scripts/package --image) as an OCI image layout, without a container engine:
https://github.com/opencontainers/image-spec, version 1.1. Its configuration is what config/Containerfile says after its last FROM;
a health check is not among what OCI knows. The same files give the same image, byte for byte.

Usage: oci_image.py FILES LAYOUT VERSION COMMIT SECONDS ARCHITECTURE      (SECONDS since 1970: the time of the commit)
"""

import gzip
import hashlib
import io
import json
import re
import sys
import tarfile
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYER, CONFIG, MANIFEST, INDEX = (
    f"application/vnd.oci.image.{name}" for name in ("layer.v1.tar+gzip", "config.v1+json", "manifest.v1+json", "index.v1+json")
)


def instructions(text):
    """The instructions of the last stage: names and what they say."""
    lines = [line for line in re.sub(r"\\\n\s*", "", text).splitlines() if line and not line.startswith("#")]
    pairs = [tuple(line.split(maxsplit=1)) for line in lines]
    last = max(index for index, (name, _) in enumerate(pairs) if name == "FROM")
    return pairs[last + 1:]


def configuration(pairs):
    """What an image's configuration has of these instructions."""
    config = {}
    for name, value in pairs:
        if name == "USER":
            config["User"] = value
        elif name == "WORKDIR":
            config["WorkingDir"] = value
        elif name == "ENV":
            config.setdefault("Env", ["PATH=/usr/bin"]).append(value)
        elif name == "EXPOSE":
            config.setdefault("ExposedPorts", {})[f"{value}/tcp"] = {}
        elif name == "VOLUME":
            config.setdefault("Volumes", {})[value] = {}
        elif name == "STOPSIGNAL":
            config["StopSignal"] = value
        elif name in ("ENTRYPOINT", "CMD"):
            config[name.capitalize()] = json.loads(value)
        elif name not in ("COPY", "HEALTHCHECK"):
            sys.exit(f"oci_image.py: the Containerfile has {name}, which is not known here")
    return config


def layer(files, owned, seconds):
    """A tar of the files: what is below the folder `owned` belongs to the image's user, all else to root."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(files.rglob("*")):
            name = str(path.relative_to(files))
            info = tar.gettarinfo(path, name)
            owner = owned["id"] if f"/{name}/".startswith(f"{owned['path']}/") else 0
            (info.uid, info.gid, info.uname, info.gname, info.mtime) = (owner, owner, "", "", seconds)
            # Two names of one file would depend on the order in which they were made.
            if info.islnk():
                info.type, info.linkname, info.size = tarfile.REGTYPE, "", path.stat().st_size
            with open(path, "rb") if info.isreg() else io.BytesIO() as file:
                tar.addfile(info, file)
    return buffer.getvalue()


def write(folder, content):
    digest = hashlib.sha256(content).hexdigest()
    blobs = folder / "blobs" / "sha256"
    blobs.mkdir(parents=True, exist_ok=True)
    (blobs / digest).write_bytes(content)
    return {"digest": f"sha256:{digest}", "size": len(content)}


def encoded(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def make(files, folder, version, commit, seconds, architecture, containerfile=ROOT / "config" / "Containerfile"):
    created = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = configuration(instructions(containerfile.read_text()))
    owned = {"path": config["WorkingDir"], "id": int(config["User"].split(":")[0])}
    labels = {
        "org.opencontainers.image.title": "phoneproof", "org.opencontainers.image.version": version,
        "org.opencontainers.image.revision": commit, "org.opencontainers.image.created": created,
    }
    tar = layer(files, owned, seconds)
    image = {
        "created": created, "architecture": architecture, "os": "linux", "config": {**config, "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(tar).hexdigest()}"]},
        "history": [{"created": created, "created_by": "scripts/packaging/oci_image.py"}],
    }
    manifest = {
        "schemaVersion": 2, "mediaType": MANIFEST, "annotations": labels,
        "config": {"mediaType": CONFIG, **write(folder, encoded(image))},
        "layers": [{"mediaType": LAYER, **write(folder, gzip.compress(tar, 9, mtime=0))}],
    }
    descriptor = {
        "mediaType": MANIFEST, **write(folder, encoded(manifest)), "platform": {"architecture": architecture, "os": "linux"},
        "annotations": {"org.opencontainers.image.ref.name": version},
    }
    (folder / "oci-layout").write_bytes(encoded({"imageLayoutVersion": "1.0.0"}))
    (folder / "index.json").write_bytes(encoded({"schemaVersion": 2, "mediaType": INDEX, "manifests": [descriptor]}))
    return descriptor["digest"]


if __name__ == "__main__":
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    print(make(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]), sys.argv[6]))
