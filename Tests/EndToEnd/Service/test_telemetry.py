"""What a service reports: metrics, spans and logs, and that none of them contains a code, a number, a token or a key."""

import base64
import json
import re
import socket
import sys
import tempfile
import threading
import unittest
import urllib.parse

from peer import Peer
from pypi import installed
from support import ROOT, TWILIO, Client, Server, ServiceTestCase, code_in, free_port, listens, make_key, sql, wait_for

sys.path.insert(0, str(installed(ROOT / "Tests/EndToEnd/Requirements/opentelemetry-requirements.txt", "opentelemetry-proto")))
from google.protobuf.json_format import MessageToDict  # noqa: E402
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest  # noqa: E402
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest  # noqa: E402

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLER = f"00-{TRACE}-00f067aa0ba902b7-01"


def content_of(request):
    """What a collector was sent, in the protocol's mapping to JSON. Protocol Buffers are read by OpenTelemetry's own decoder."""
    if request.headers["Content-Type"] == "application/json":
        return json.loads(request.body)
    assert request.headers["Content-Type"] == "application/x-protobuf", request.headers
    kind = ExportLogsServiceRequest if request.path == "/v1/logs" else ExportTraceServiceRequest
    message = kind.FromString(request.bytes)
    assert message.ByteSize() == len(request.bytes), "there is more in it than the protocol knows"
    return mapped(MessageToDict(message, use_integers_for_enums=True))


def mapped(value):
    """The mapping of OTLP: IDs are in hexadecimal, not in base64."""
    if isinstance(value, list):
        return [mapped(each) for each in value]
    if not isinstance(value, dict):
        return value
    ids = ("traceId", "spanId", "parentSpanId")
    return {name: base64.b64decode(each).hex() if name in ids else mapped(each) for name, each in value.items()}


def spans_of(collector):
    """Every span that came, each checked by the protocol's mapping to JSON."""
    spans = []
    for request in list(collector.requests):
        assert request.path == "/v1/traces", request.path
        for resource in content_of(request)["resourceSpans"]:
            names = {a["key"]: a["value"] for a in resource["resource"]["attributes"]}
            assert names["service.name"] == {"stringValue": "phoneproof"}, names
            for scope in resource["scopeSpans"]:
                spans += scope["spans"]
    for span in spans:
        assert re.fullmatch("[0-9a-f]{32}", span["traceId"]) and int(span["traceId"], 16), span
        assert re.fullmatch("[0-9a-f]{16}", span["spanId"]) and int(span["spanId"], 16), span
        assert re.fullmatch("[0-9a-f]{16}", span.get("parentSpanId", "0" * 15 + "1")), span
        assert span["kind"] in (1, 2, 3, 4, 5), span
        start, end = span["startTimeUnixNano"], span["endTimeUnixNano"]
        assert isinstance(start, str) and isinstance(end, str) and 16e17 < int(start) <= int(end), span
        for attribute in span.get("attributes", []):
            [(kind, value)] = attribute["value"].items()
            wanted = {"stringValue": str, "intValue": str, "boolValue": bool, "doubleValue": (int, float)}
            assert isinstance(value, wanted[kind]), attribute
        assert span.get("status", {"code": 2})["code"] in (1, 2), span
    return spans


def taken(request):
    return 201, {"sid": "SM" + "0" * 32, "status": "queued"}


class TelemetryTests(ServiceTestCase):
    def peer(self, *arguments, **options):
        return self.enter(Peer(*arguments, **options))

    def test_metrics_have_a_listener_of_their_own(self):
        port = free_port()
        server = self.serve(METRICS_PORT=port)
        # All listeners are there once the service says that it is ready.
        self.assertTrue(listens(port))
        server.client.begin("+821012345678")
        server.client.code("+821012345678")
        self.assertEqual(server.client.call("GET", "/metrics").status, 404)
        read = lambda: Client(port).call("GET", "/metrics")
        wait_for(lambda: "\nphoneproof_outbox_messages 0\n" in read().text, "the message's end")
        answer = read()
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
        for line in [
            'phoneproof_http_requests_total{route="/v1/verifications",method="POST",status="201"} 1',
            'phoneproof_verifications_total{outcome="begun",region="KR"} 1',
            'phoneproof_gateway_requests_total{gateway="stub",outcome="accepted"} 1',
            'phoneproof_gateway_circuit_open{gateway="stub"} 0',
            "phoneproof_outbox_messages 0",
        ]:
            self.assertIn("\n" + line + "\n", answer.text)
        self.assertRegex(answer.text, r"\nprocess_resident_memory_bytes \d+\n")
        self.assertEqual(Client(port).call("GET", "/v1/phone-numbers/1").status, 404)
        self.assertEqual(server.stop(), 0)

    def test_without_one_they_are_for_this_machine_and_for_keys_of_operators(self):
        server = self.serve(SERVER_INSECURE_NO_KEYS=None)
        self.assertEqual(server.client.call("GET", "/metrics").status, 200)
        self.assertEqual(server.client.call("GET", "/metrics", **{"Host": "phone.example.com"}).status, 401)
        self.assertEqual(server.client.call("GET", "/metrics", **{"X-Forwarded-For": "1.2.3.4"}).status, 401)
        elsewhere = {"Host": "phone.example.com", "X-Forwarded-For": "1.2.3.4"}
        for scope, status in [("admin", 200), ("verifications", 403)]:
            key = self.make_key(scope)
            self.assertEqual(server.client.call("GET", "/metrics", token=key, **elsewhere).status, status)

    def test_a_port_that_is_taken_is_named(self):
        with socket.socket() as taken_port:
            taken_port.bind(("127.0.0.1", 0))
            taken_port.listen()
            port = taken_port.getsockname()[1]
            code, _, error = self.run_program("serve", "--port", "0", METRICS_PORT=port)
        self.assertEqual(code, 69)
        self.assertIn(f"cannot listen on 127.0.0.1:{port}", error)
        self.assertIn("metrics.port", error)

    def test_a_message_belongs_to_the_trace_of_the_request_though_the_service_was_started_anew(self):
        collector, gateway = self.peer(), self.peer(taken)
        settings = {"SMS_GATEWAY": "twilio", **TWILIO, "TRACING_OTLP_ENDPOINT": f"{collector.url}/"}
        server = self.serve(SMS_TWILIO_BASE_URL="http://127.0.0.1:1", **settings)
        server.client.begin("+821012345678", traceparent=CALLER)
        wait_for(lambda: "the gateway cannot be reached" in server.log_text, "the first attempt")
        self.assertEqual(server.stop(), 0)
        server = self.serve(SMS_TWILIO_BASE_URL=gateway.url, **settings)
        wait_for(lambda: gateway.requests, "the message")
        wait_for(lambda: "A message was sent" in server.log_text, "its record")
        self.assertEqual(server.stop(), 0)

        spans = {(s["name"], s["kind"]): s for s in spans_of(collector) if s["traceId"] == TRACE}
        self.assertEqual(
            sorted(spans), [("POST /v1/verifications", 2), ("phoneproof.request_code", 1), ("phoneproof.send", 3)]
        )
        request = spans["POST /v1/verifications", 2]
        self.assertEqual(request["parentSpanId"], "00f067aa0ba902b7")
        self.assertEqual(
            request["attributes"],
            [
                {"key": "http.request.method", "value": {"stringValue": "POST"}},
                {"key": "http.response.status_code", "value": {"intValue": "201"}},
                {"key": "http.route", "value": {"stringValue": "/v1/verifications"}},
                {"key": "url.scheme", "value": {"stringValue": "http"}},
            ],
        )
        asked = spans["phoneproof.request_code", 1]
        self.assertEqual(asked["parentSpanId"], request["spanId"])
        sends = [s for s in spans_of(collector) if s["name"] == "phoneproof.send"]
        self.assertGreaterEqual(len(sends), 2)
        self.assertEqual({s["parentSpanId"] for s in sends}, {asked["spanId"]})
        failed, sent = sends[0], sends[-1]
        self.assertEqual((failed["status"], sent.get("status")), ({"code": 2}, None))
        # What the gateway got names the very request to it.
        self.assertEqual(gateway.requests[0].headers["traceparent"], f"00-{TRACE}-{sent['spanId']}-01")
        lines = [line for line in server.log_text.splitlines() if "A message was sent" in line]
        self.assertIn(f"trace.id={TRACE}", lines[0])

    def test_the_audit_log_goes_to_the_collector_in_its_order_and_waits_while_that_is_away(self):
        down = free_port()
        settings = {"TRACING_OTLP_ENDPOINT": f"http://127.0.0.1:{down}/", "TRACING_AUDIT_LOG": "true", "TRACING_SAMPLE_RATIO": 0}
        self.assertIn("each entry to http://127.0.0.1:", self.done("check-config", **settings))
        server = self.serve(**settings)
        server.client.sign_up("010-1234-5678")
        wait_for(lambda: "The collector rejects the audit log" in server.log_text, "a failed request")
        collector = self.peer(port=down)

        def records():
            found = [content_of(request) for request in collector.requests if request.path == "/v1/logs"]
            return [record for body in found for record in body["resourceLogs"][0]["scopeLogs"][0]["logRecords"]]

        wait_for(lambda: len(records()) == 3, "three entries")
        self.assertEqual([record["body"]["stringValue"] for record in records()], ["begin", "approve", "sign up"])
        first = records()[0]
        self.assertEqual((first["eventName"], first["severityNumber"], first["severityText"]), ("audit.recorded", 9, "INFO"))
        attributes = {item["key"]: item["value"]["stringValue"] for item in first["attributes"]}
        self.assertEqual(
            (attributes["audit.action"], attributes["audit.masked_number"], attributes["audit.region"]),
            ("begin", "+82 10-****-5678", "KR"),
        )
        self.assertNotIn("1012345678", str(records()))
        server.client.begin("+821087654321")
        self.assertEqual(server.stop(), 0)
        self.assertEqual(len(records()), 4)
        self.assertEqual([request.path for request in collector.requests if request.path != "/v1/logs"], [])
        error = self.refused(78, "serve", TRACING_PROTOCOL="grpc", **settings)
        self.assertIn("tracing.protocol is 'grpc'; it must be http/protobuf or http/json", error)
        error = self.refused(78, "serve", TRACING_AUDIT_LOG="true")
        self.assertIn("tracing.audit_log is true, which needs tracing.otlp_endpoint", error)

    def resource(self, collector, path="/v1/traces", **settings):
        """What a service with these settings sends of itself, and the header fields that it sends that with."""
        server = self.serve(**settings)
        server.client.call("GET", "/health/live")
        self.assertEqual(server.stop(), 0)
        request = collector.requests.pop()
        self.assertEqual(request.path, path)
        (resource,) = content_of(request)["resourceSpans"]
        self.assertNotIn("s3cret", server.log_text)
        return {a["key"]: a["value"]["stringValue"] for a in resource["resource"]["attributes"]}, request.headers

    def test_a_hosted_collector_knows_the_sender_by_its_headers(self):
        collector = self.peer()
        endpoint = collector.url
        self.write("headers", "authorization=Bearer%20s3cret, x-team = phones\r\n\nx-empty=\n")
        resource, headers = self.resource(
            collector, TRACING_OTLP_ENDPOINT=endpoint, TRACING_HEADERS_FILE="headers", LOG_LEVEL="trace"
        )
        self.assertEqual((headers["authorization"], headers["x-team"], headers["x-empty"]), ("Bearer s3cret", "phones", ""))
        self.assertEqual(headers["Content-Type"], "application/x-protobuf")
        self.assertEqual(set(resource), {"service.name", "service.version", "service.instance.id"})
        self.assertRegex(resource["service.instance.id"], "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        again, headers = self.resource(collector, TRACING_OTLP_ENDPOINT=endpoint, TRACING_PROTOCOL="http/json")
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertNotEqual(again["service.instance.id"], resource["service.instance.id"])

    def test_the_variables_of_opentelemetry_count_where_nothing_else_is_set(self):
        collector = self.peer()
        endpoint = collector.url
        variables = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint + "/",
            "OTEL_EXPORTER_OTLP_HEADERS": "api-key=s3cret%3D%2C",
            "OTEL_SERVICE_NAME": "signups",
            "OTEL_RESOURCE_ATTRIBUTES": "service.name=other,deployment.environment.name=test%20one,service.instance.id=7",
        }
        resource, headers = self.resource(collector, variables=variables)
        self.assertEqual(headers["api-key"], "s3cret=,")
        version = resource.pop("service.version")
        self.assertRegex(version, r"^\d+\.\d+")
        self.assertEqual(
            resource, {"service.name": "signups", "deployment.environment.name": "test one", "service.instance.id": "7"}
        )
        # Those for traces alone go before; their endpoint is the whole address.
        narrower = {
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": endpoint + "/otlp", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "api-key=1",
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
        }
        for protocol, kind in [("http/json", "application/json"), ("http/protobuf", "application/x-protobuf")]:
            narrower["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] = protocol
            _, headers = self.resource(collector, "/otlp", variables={**variables, **narrower})
            self.assertEqual((headers["api-key"], headers["Content-Type"]), ("1", kind))
        # Our own settings go before all of them.
        elsewhere = {**variables, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
        resource, headers = self.resource(
            collector, variables=elsewhere, TRACING_OTLP_ENDPOINT=endpoint, TRACING_HEADERS="api-key=2"
        )
        self.assertEqual((headers["api-key"], resource["service.name"]), ("2", "signups"))

    def test_without_a_collector_a_trace_is_passed_on_as_it_came(self):
        gateway = self.peer(taken)
        server = self.serve(SMS_GATEWAY="twilio", SMS_TWILIO_BASE_URL=gateway.url, **TWILIO)
        server.client.begin("+821012345678", traceparent=CALLER)
        server.client.begin("+821087654321", traceparent="00-0-0-01")
        wait_for(lambda: len(gateway.requests) == 2, "the messages")
        self.assertEqual({r.headers.get("traceparent") for r in gateway.requests}, {CALLER, None})
        self.assertEqual(server.stop(), 0)

    def test_a_collector_that_is_away_or_refuses_holds_up_nobody(self):
        server = self.serve(TRACING_OTLP_ENDPOINT="http://127.0.0.1:1")
        server.client.begin("+821012345678")
        server.client.code("+821012345678")
        self.assertEqual(server.stop(), 0)
        self.assertEqual(server.log_text.count("The collector rejects spans"), 1)

    def test_a_collector_that_never_ends_its_answer_holds_up_nobody(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        asked = []

        def answer():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                self.addCleanup(connection.close)
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
                asked.append(connection)

        threading.Thread(target=answer, daemon=True).start()
        server = self.serve(TRACING_OTLP_ENDPOINT=f"http://127.0.0.1:{listener.getsockname()[1]}")
        server.client.begin("+821012345678")
        wait_for(lambda: len(asked) == 1, "spans")
        server.client.begin("+821087654321")
        wait_for(lambda: len(asked) == 2, "more spans")
        self.assertEqual(server.stop(), 0)
        self.assertNotIn("shutdown timed out", server.log_text)

    def test_what_is_no_request_is_counted_too(self):
        server = self.serve()
        for rubbish in [b"rubbish\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"]:
            with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
                connection.sendall(rubbish)
                self.assertIn(b" 400 ", connection.recv(4096))
        metrics = server.client.call("GET", "/metrics").text
        self.assertIn('phoneproof_http_requests_total{route="none",method="other",status="400"} 2\n', metrics)


class SilenceTests(unittest.TestCase):
    """Everything goes wrong that can, at the most talkative level; then what was reported is searched."""

    NUMBERS = ["01012345678", "01087654321", "01055556666", "01077778888"]

    def test_no_log_metric_or_span_contains_a_code_a_number_a_token_or_a_key(self):
        for log_format in ["text", "json"]:
            with self.subTest(log_format), tempfile.TemporaryDirectory() as folder:
                self.try_everything(folder, log_format)

    def gateway(self, request):
        """Answers as Twilio does, with errors that quote the number and the text."""
        form = dict(urllib.parse.parse_qsl(request.body))
        self.codes.add(code_in(form["Body"]))
        said = f"to {form['To']} with {form['Body']}"
        status, code = self.answers.pop(0) if self.answers else (201, None)
        if status == 201:
            return 201, {"sid": "SM" + "0" * 32, "status": "queued", "to": form["To"], "body": form["Body"]}
        return status, {"code": code, "message": f"cannot send {said}", "status": status, "more_info": said}

    def try_everything(self, folder, log_format):
        self.codes, self.answers = set(), [(400, 21614), (429, 20429), (500, 20500), (503, None)]
        self.secrets = {TWILIO["SMS_TWILIO_AUTH_TOKEN"], TWILIO["SMS_TWILIO_ACCOUNT_SID"]}
        collector, gateway, metrics_port = Peer(), Peer(self.gateway), free_port()
        server = Server(
            folder, SMS_GATEWAY="twilio", SMS_TWILIO_BASE_URL=gateway.url, **TWILIO,
            LOG_LEVEL="trace", LOG_FORMAT=log_format, METRICS_PORT=metrics_port, SMS_TIMEOUT_SECONDS=1,
            TRACING_OTLP_ENDPOINT=collector.url, SERVER_INSECURE_NO_KEYS=None,
            DATABASE_BUSY_TIMEOUT_SECONDS=1,
        )
        try:
            keys = [make_key(folder, scope) for scope in ("verifications", "admin")]
            self.secrets |= {part for key in keys for part in [key, key[-43:]]}
            self.go_wrong(server, keys, folder)
            metrics = Client(metrics_port).call("GET", "/metrics").text
            metrics += Client(metrics_port).call("GET", "/metrics", Accept="application/openmetrics-text").text
            self.assertEqual(server.stop(), 0)
            told = {
                "log": server.log_text,
                "metrics": metrics,
                "spans": "\n".join(json.dumps(span) for span in spans_of(collector)),
            }
        finally:
            server.close()
            collector.close()
            gateway.close()
        self.assertGreater(told["log"].count("\n"), 60)
        self.assertGreater(told["spans"].count("\n"), 40)
        self.assertIn('code="code_incorrect"', metrics)
        self.assertGreaterEqual(len(self.codes), 4)
        if log_format == "json":
            for line in told["log"].splitlines():
                entry = json.loads(line)
                self.assertEqual(list(entry)[:4], ["time", "level", "logger", "message"])
                self.assertTrue(all(isinstance(value, str) for value in entry.values()))
            answered = [json.loads(line) for line in told["log"].splitlines() if '"answered"' in line]
            self.assertTrue(all("request.id" in entry for entry in answered))
            self.assertEqual({e["http.route"] for e in answered if "trace.id" not in e}, {"/metrics"})
        for where, text in told.items():
            self.search(where, text)

    def search(self, where, text):
        for line in text.splitlines():
            for secret in self.secrets:
                self.assertNotIn(secret, line, where)
            # Random names and moments may bear any digits.
            bare = re.sub(r"[0-9a-f]{16,}", "", line)
            bare = re.sub(r'"(start|end|)[tT]imeUnixNano": "\d+"', "", bare)
            bare = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "", bare)
            digits = re.sub(r"%2[BbdD]|%20|[ \-+().]", "", bare)
            for number in self.NUMBERS:
                for form in {number, number[1:], "82" + number[1:]}:
                    self.assertNotIn(form, digits, f"{where}: {line}")
            for code in self.codes:
                self.assertIsNone(re.search(rf"(?<!\d){code}(?!\d)", bare), f"{where}: {line}")

    def go_wrong(self, server, keys, folder):
        call, key, national = server.client.call, keys[0], self.NUMBERS
        numbers = ["+82" + number[1:] for number in national]
        verify = lambda number, **more: call("POST", "/v1/verifications", {"phone_number": number, **more}, token=key)
        # Right and wrong codes, and every way to refuse. The gateway fails in each of its ways meanwhile.
        for number in numbers:
            begun = verify(number)
            self.assertEqual(begun.status, 201)
            path = f"/v1/verifications/{begun.json['id']}"
            verify(number)
            call("POST", path + "/checks", {"code": "271828"}, token=key)
            call("POST", path + "/checks", {"code": 271828}, token=key)
            call("POST", path + "/checks", '{"code":"271828"', token=key)
        self.codes.add("271828")
        wait_for(lambda: len(self.codes) >= 5, "codes")
        for code in list(self.codes):
            call("POST", path + "/checks", {"code": code}, token=key)
        call("DELETE", path, token=key)
        verify("010-12"), verify("+12125550123"), verify(number, channel="call"), verify(int(national[0]))
        # A guided signup: its token, and codes that are typed.
        signup = call("POST", "/v1/signups", {}).json
        path, token = f"/v1/signups/{signup['id']}", signup["token"]
        self.secrets |= {token, token.split("_", 1)[1]}
        call("PATCH", path, {"phone_text": national[1], "code_text": "271828"}, token)
        call("POST", path + "/send", {"phone_text": national[1]}, token)
        call("POST", path + "/sign-up", {"code_text": "271828"}, token)
        call("POST", path + "/sign-up", {"code_text": "271828"}, token[:-1] + "x")
        call("GET", path, token=token[:-2])
        # Numbers, codes and keys where they do not belong.
        for number in national + numbers:
            quoted = urllib.parse.quote(number, safe="")
            for path in [
                f"/{quoted}", f"/v1/phone-numbers/{quoted}?region=KR", f"/v1/phone-numbers/%FF{quoted}",
                f"/v1/verifications/{quoted}", f"/v1/verifications/{quoted}/checks", f"/nowhere?phone={quoted}&code=271828",
                f"/v1/signups/{quoted}?token={token}", f"/stub/messages?to={quoted}", f"/{key}", f"/metrics?key={key}",
            ]:
                for method in ["GET", "POST", "DELETE", "OPTIONS"]:
                    call(method, path, token=key)
            call("GET", "/health/live", **{
                "X-Phone": number, "traceparent": f"00-{number}", "tracestate": f"a={number}", "User-Agent": number,
                "X-Forwarded-For": number, "Origin": f"http://{number}", "Accept": number, "baggage": f"n={number}",
            })
            call("POST", "/v1/verifications", f"phone_number={quoted}", token=key, **{"Content-Type": f"text/{number[1:]}"})
            call("POST", "/v1/verifications", {number: number, "phone_number": number, "region": number}, token=key)
            call("POST", "/v1/verifications", {"phone_number": number}, token=key, **{"Idempotency-Key": f'"{number}"'})
        call("GET", "/v1/verifications", Authorization=f"Basic {key}")
        for worthless in [key + "0", key[:-1], "pk_" + national[0], keys[1]]:
            verify_with = call("POST", "/v1/verifications", {"phone_number": numbers[0]}, token=worthless)
            self.assertIn(verify_with.status, (401, 403))
        for garbage in [
            f"GET /{numbers[0]} HTTP/9.9\r\n\r\n", f"{national[0]} / HTTP/1.1\r\nHost: a\r\n\r\n",
            f"GET / HTTP/1.1\r\n{national[0]}\r\n\r\n", f"GET /{key} HTTP/1.1\r\nHost: {national[0]}\r\nX: \x00\r\n\r\n",
            f"POST /v1/verifications HTTP/1.1\r\nHost: a\r\nContent-Length: {national[0]}9999999999\r\n\r\n",
        ]:
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(garbage.encode("latin-1"))
                connection.settimeout(0.2)
                try:
                    connection.recv(4096)
                except OSError:
                    pass
        # The store goes: first locked, then without its tables.
        sql(folder, "ALTER TABLE outbox_message RENAME TO aside")
        self.assertEqual(verify("+821099990000").status, 503)
        call("POST", path + "/sign-up", {"code_text": "271828"}, token)
        call("GET", "/health/ready")
        sql(folder, "ALTER TABLE aside RENAME TO outbox_message")
