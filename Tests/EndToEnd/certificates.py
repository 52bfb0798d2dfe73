"""Certificates of one's own, made by openssl."""

import subprocess


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def make_authority(folder, name):
    """A certificate authority of one's own; gives the path of its certificate."""
    openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        f"/CN={name}", "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.crt",
        "-addext", "keyUsage=critical,keyCertSign",
    )
    return f"{folder}/{name}.crt"


def make_certificate(folder, name, authority, file=None, days=2):
    """A certificate for a server of this name; gives its path and its key's."""
    path = f"{folder}/{file or f'server-{name}'}"
    openssl(
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}", "-keyout",
        f"{path}.key", "-out", f"{path}.csr",
    )
    with open(f"{path}.ext", "w") as extensions:
        extensions.write(f"subjectAltName=DNS:{name}\n")
    openssl(
        "x509", "-req", "-in", f"{path}.csr", "-CA", authority, "-CAkey", authority.replace(".crt", ".key"),
        "-CAcreateserial", "-days", str(days), "-extfile", f"{path}.ext", "-out", f"{path}.crt",
    )
    return f"{path}.crt", f"{path}.key"
