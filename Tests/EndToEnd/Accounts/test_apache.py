"""Sign-in by OpenID Connect for what Apache serves, by mod_auth_openidc as Debian has it."""

import contextlib
import os
import pwd
import subprocess
import unittest
import urllib.parse

from browser import Browser
from support import ServiceTestCase, free_port, listens, wait_for

APACHE, MODULES = "/usr/sbin/apache2", "/usr/lib/apache2/modules"
NUMBER = "010-1234-5678"
CONFIGURATION = """
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
ServerRoot {folder}
DefaultRuntimeDir {folder}
PidFile {folder}/pid
ErrorLog {folder}/log
DocumentRoot {folder}/pages
{modules}
User #{user}
Group #{group}
OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID {client_id}
OIDCClientSecret {client_secret}
OIDCRedirectURI http://127.0.0.1:{port}/private/callback
OIDCCryptoPassphrase secret-of-the-test
OIDCPKCEMethod S256
OIDCScope "openid phone offline_access"
OIDCRemoteUserClaim sub
OIDCRefreshAccessTokenBeforeExpiry 86400
<Location /private/>
AuthType openid-connect
Require valid-user
Header set User "expr=%{{REMOTE_USER}}"
Header set Number "expr=%{{env:OIDC_CLAIM_phone_number}}"
Header set Token "expr=%{{env:OIDC_access_token}}"
</Location>
"""


@unittest.skipUnless(os.path.exists(f"{MODULES}/mod_auth_openidc.so"), "needs Debian's libapache2-mod-auth-openidc")
class ApacheTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.apache_folder = self.new_folder()
        port = free_port()
        self.issuer = f"http://127.0.0.1:{port}"
        self.server = self.serve(port=port, TOKENS_ISSUER=self.issuer)
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"

    def start_apache(self, client):
        folder = self.apache_folder
        os.makedirs(f"{folder}/pages/private")
        for name in ("private/index.html", "bye.html"):
            with open(f"{folder}/pages/{name}", "w") as page:
                page.write(f"<h1>{name}</h1>")
        names = ["mpm_event", "authn_core", "authz_core", "authz_user", "dir", "headers", "auth_openidc"]
        modules = "\n".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in names)
        # Apache serves as nobody if root starts it.
        os.chmod(folder, 0o755)
        user, group = os.geteuid() or pwd.getpwnam("nobody").pw_uid, os.getegid() or pwd.getpwnam("nobody").pw_gid
        with open(f"{folder}/apache.conf", "w") as file:
            file.write(CONFIGURATION.format(
                folder=folder, port=self.port, modules=modules, user=user, group=group, issuer=self.issuer, **client,
            ))
        apache = subprocess.Popen([APACHE, "-f", f"{folder}/apache.conf", "-D", "FOREGROUND"], stderr=subprocess.DEVNULL)
        self.addCleanup(apache.wait)
        self.addCleanup(apache.terminate)

        wait_for(lambda: listens(self.port) or apache.poll() is not None, "Apache")
        self.assertIsNone(apache.poll(), self.log())

    def log(self):
        with contextlib.suppress(OSError), open(f"{self.apache_folder}/log") as log:
            return log.read()

    def test_a_person_signs_in_to_a_page_of_apache_and_out(self):
        self.start_apache(self.create_client(
            "--name", "Wiki", "--redirect-uri", f"{self.address}/private/callback",
            "--logout-uri", f"{self.address}/bye.html",
        ))
        # One browser, with the cookies of each site.
        wiki, phone = Browser(self, self.address), Browser(self.server, self.issuer)
        # What accepts no pages is no browser to it.
        wiki.headers["Accept"] = "text/html"
        request = wiki.open(f"{self.address}/private/")
        self.assertTrue(str(request).startswith(f"{self.issuer}/oauth2/authorize?"), self.log())
        back = phone.sign_in(phone.open(request), self.server.client, NUMBER)
        page = wiki.open(back)
        self.assertEqual((page.status, page.heading), (200, "private/index.html"), self.log())
        self.assertRegex(page.headers["User"], r"^acc_[0-9a-f]{32}$")
        self.assertEqual(page.headers["Number"], "+821012345678")
        # It refreshes its token with every request, as it was configured.
        tokens = [page.headers["Token"], *(wiki.open(f"{self.address}/private/").headers["Token"] for _ in range(2))]
        self.assertEqual(len(set(tokens)), 3, self.log())
        user = self.server.client.call("GET", "/oauth2/userinfo", token=tokens[-1])
        self.assertEqual(user.json["phone_number"], "+821012345678")

        # The same response signs in no other browser.
        self.assertNotEqual(getattr(Browser(self, self.address).open(back), "heading", ""), "private/index.html")

        out = wiki.open(f"{self.address}/private/callback?logout=" + urllib.parse.quote(f"{self.address}/bye.html", safe=""))
        self.assertTrue(out.startswith(f"{self.issuer}/oauth2/logout?id_token_hint="), out)
        end = phone.open(out)
        self.assertEqual(end.split("?")[0], f"{self.address}/bye.html")
        self.assertEqual(wiki.open(end).heading, "bye.html")
        self.assertEqual(phone.cookies, {})
        self.assertEqual(self.server.client.call("GET", "/oauth2/userinfo", token=tokens[-1]).status, 401)
        request = wiki.open(f"{self.address}/private/")
        self.assertEqual(phone.open(request).heading, "Sign in with your phone number")
