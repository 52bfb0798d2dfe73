"""The recipes of the article on own routes, as they stand there: Kannel runs, the other programs are played."""

import pathlib
import subprocess
import urllib.parse
import urllib.request

from peer import Peer
from recipes import RecipeTestCase
from smsc import SMSCentre
from support import MODULES, free_port, wait_for

ARTICLE = MODULES["phoneproof"] / "phoneproof.docc" / "Delivery" / "OwnRoutes.md"
NUMBER = "+821012345678"
KANNEL = """
group = core
admin-port = {admin}
admin-password = {secret}
smsbox-port = {box}
dlr-storage = internal
box-deny-ip = "*.*.*.*"
box-allow-ip = "127.0.0.1"

group = smsc
smsc = smpp
smsc-id = carrier
host = 127.0.0.1
port = {smsc}
transceiver-mode = true
system-type = "VMA"
smsc-username = phoneproof
smsc-password = carrier

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = {sendsms}

group = sendsms-user
username = phoneproof
password = {secret}
concatenation = true
max-messages = 5

group = sms-service
keyword = default
text = none
"""


class OwnRouteTests(RecipeTestCase):
    article = ARTICLE

    def send(self, server):
        return self.begin(server, NUMBER)

    def kannel(self, centre):
        ports = {name: free_port() for name in ("admin", "box", "sendsms")}
        file = pathlib.Path(self.write("kannel.conf", KANNEL.format(smsc=centre.port, secret=self.secret, **ports)))
        for box in ("bearerbox", "smsbox"):
            log = open(file.with_suffix(f".{box}"), "w")
            process = subprocess.Popen([f"/usr/sbin/{box}", "-v", "1", file], cwd=file.parent, stdout=log, stderr=log)
            self.addCleanup(process.wait)
            self.addCleanup(process.terminate)
            self.addCleanup(log.close)
            started = "MAIN: Start-up done" if box == "bearerbox" else "Connected to bearerbox"
            wait_for(lambda: started in file.with_suffix(f".{box}").read_text(), f"{box} to start")
        return ports["sendsms"]

    def test_kannel_hands_a_code_to_a_carrier_by_smpp_and_reports_its_fate(self):
        for fate, status in (("DELIVRD", "delivered"), ("UNDELIV", "undelivered")):
            with self.subTest(fate), SMSCentre(fate) as centre:
                server = self.recipe("kannel", {"127.0.0.1:13013": f"127.0.0.1:{self.kannel(centre)}"})
                verification = self.send(server)
                [(sender, recipient, text)] = wait_for(lambda: centre.messages, "the message")
                self.assertEqual((sender, recipient.lstrip("+")), ("Acme", NUMBER.lstrip("+")))
                wait_for(lambda: status in self.statuses(), "the report")
                self.check(server, verification, text)
                # A report that proves nothing changes nothing.
                forged = server.client.call("GET", "/v1/receipts/kannel?id=x&state=1&token=no")
                self.assertEqual(forged.status, 403)
                self.assertEqual(server.stop(), 0)
                self.setUp()

    def test_jasmin_gets_the_text_in_ucs2_and_an_answer_to_its_report(self):
        jasmin = self.enter(Peer(lambda _: (200, 'Success "07033084-5cfd-4812-90a4-e4d24ffb6e3d"')))
        server = self.recipe("jasmin", {"http://127.0.0.1:1401": jasmin.url})
        verification = self.send(server)
        [request] = wait_for(lambda: jasmin.requests, "the message")
        form = request.form
        text = bytes.fromhex(form["hex-content"]).decode("utf-16-be")
        self.assertEqual((form["to"], form["from"], form["coding"]), (NUMBER[1:], "Acme", "8"))
        wait_for(lambda: "sent" in self.statuses(), "the receipt")
        for state, status in (("ACCEPTD", "sent"), ("DELIVRD", "delivered")):
            report = urllib.parse.urlencode({"id": "07033084", "message_status": state, "level": 2}).encode()
            with urllib.request.urlopen(form["dlr-url"], report, timeout=30) as answer:
                self.assertEqual((answer.status, answer.read()), (200, b"ACK/Jasmin"))
            self.assertEqual(self.statuses(), [status])
        self.check(server, verification, text)

    def test_a_modem_has_the_message(self):
        modem = self.enter(Peer(lambda _: (200, '{"status": 200, "message": "[1]"}')))
        server = self.recipe("modem", {"http://127.0.0.1:5000": modem.url}, secret="user:passw0rd")
        verification = self.send(server)
        [request] = wait_for(lambda: modem.requests, "the message")
        self.assertEqual(request.headers["Authorization"], "Basic dXNlcjpwYXNzdzByZA==")
        self.assertEqual(request.json["number"], NUMBER)
        self.check(server, verification, request.json["text"])

    def test_a_phone_is_asked_what_became_of_a_message(self):
        def answer(request):
            if request.method == "GET":
                return 200, {"id": request.path.split("/")[-1], "state": "Delivered"}
            return 202, {"id": request.json["id"], "state": "Pending"}

        phone = self.enter(Peer(answer))
        server = self.recipe("phone", {"http://192.168.1.20:8080": phone.url}, secret="user:passw0rd")
        verification = self.send(server)
        [request] = wait_for(lambda: phone.requests, "the message")
        self.assertEqual(request.json["phoneNumbers"], [NUMBER])
        wait_for(lambda: self.statuses() == ["delivered"], "the answer about it")
        self.assertEqual(phone.requests[-1].path, f"/message/{request.json['id']}")
        self.check(server, verification, request.json["textMessage"]["text"])
