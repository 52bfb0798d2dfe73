"""What a service manager such as systemd is notified of, and the credentials that it passes on."""

import os
import socket

from support import ServiceTestCase


class Notifications(socket.socket):
    """What systemd listens at. Each is given at most as long as the watchdog has."""

    WATCHDOG = 2

    def __init__(self, address):
        super().__init__(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.bind(address)
        self.settimeout(30)

    def next(self):
        return self.recv(4096).decode()


class ServiceManagerTests(ServiceTestCase):
    def serve_with(self, **variables):
        return self.serve(prefix=("env", *(f"{name}={value}" for name, value in variables.items())))

    def test_is_ready_when_it_listens_and_says_when_it_stops(self):
        with Notifications(f"{self.folder}/notify") as notifications:
            server = self.serve_with(NOTIFY_SOCKET=f"{self.folder}/notify")
            self.assertEqual(notifications.next(), f"READY=1\nSTATUS=Serving at http://127.0.0.1:{server.port}")
            self.assertEqual(server.client.call("GET", "/health/ready").status, 200)
            self.assertEqual(server.stop(), 0)
            self.assertEqual(notifications.next(), "STOPPING=1")
            notifications.setblocking(False)
            self.assertRaises(BlockingIOError, notifications.next)

    def test_the_socket_may_be_abstract_or_gone(self):
        with Notifications(f"\0{self.folder}") as notifications:
            self.serve_with(NOTIFY_SOCKET=f"@{self.folder}")
            self.assertTrue(notifications.next().startswith("READY=1\n"))
        for address in (f"{self.folder}/gone", "vsock:2:1234", "x" * 200, "/" + "x" * 200):
            self.assertEqual(self.serve_with(NOTIFY_SOCKET=address).stop(), 0)

    def test_the_watchdog_is_fed_in_time(self):
        with Notifications(f"{self.folder}/notify") as notifications:
            watchdog = {"NOTIFY_SOCKET": f"{self.folder}/notify", "WATCHDOG_USEC": Notifications.WATCHDOG * 1_000_000}
            server = self.serve_with(**watchdog)
            notifications.next()
            # Of this process, and not of another one that it was started by.
            notifications.settimeout(Notifications.WATCHDOG)
            self.assertEqual([notifications.next(), notifications.next()], ["WATCHDOG=1", "WATCHDOG=1"])
            server.stop()
            notifications.next()
            server = self.serve_with(**watchdog, WATCHDOG_PID=os.getpid())
            self.assertTrue(notifications.next().startswith("READY=1\n"))
            self.assertRaises(TimeoutError, notifications.next)

    def test_credentials_are_settings_that_the_environment_overrides(self):
        credentials = f"{self.folder}/credentials"
        os.mkdir(credentials)
        for name, text in {
            "phoneproof_sms.twilio.auth_token": "0123456789abcdef0123456789abcdef\n",
            "phoneproof_server.port": "70000",
            "somebody_else": "x",
        }.items():
            with open(f"{credentials}/{name}", "w") as file:
                file.write(text)
        settings = {
            "SMS_GATEWAY": "twilio", "SMS_TWILIO_ACCOUNT_SID": "AC" + "0" * 32, "SMS_TWILIO_FROM": "+15005550006",
        }

        def check(**more):
            return self.run_program("check-config", variables={"CREDENTIALS_DIRECTORY": credentials}, **settings, **more)

        code, shown, _ = check()
        self.assertEqual(code, 1)
        self.assertIn("server.port is '70000'", shown)
        code, shown, _ = check(SERVER_PORT="8080")
        self.assertEqual((code, shown.count("0123456789abcdef")), (0, 0), shown)
        os.remove(f"{credentials}/phoneproof_sms.twilio.auth_token")
        self.assertIn("sms.twilio.auth_token_file", check(SERVER_PORT="8080")[1])
        with open(f"{credentials}/phoneproof_server.prot", "w") as file:
            file.write("1")
        self.assertIn("PHONEPROOF_SERVER_PROT is not a setting", check(SERVER_PORT="8080")[1])
        os.rename(credentials, f"{self.folder}/gone")
        self.assertIn(f"cannot read the credentials in {credentials}", check()[1])
