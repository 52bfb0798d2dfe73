"""Packages elsewhere: one that uses the libraries for apps alone, and resolves no dependency, and a server with the middleware."""

import json
import pathlib
import subprocess
import tempfile
import time
import unittest

from support import FULL, MODULES, PROGRAM, ROOT, Client, ServiceTestCase, wait_for

MANIFEST = f"""
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "app",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "phoneproof", path: "{ROOT}", traits: [])],
    targets: [
        .executableTarget(
            name: "app",
            dependencies: [
                .product(name: "PhoneNumbers", package: "phoneproof"),
                .product(name: "PhoneProofClient", package: "phoneproof"),
                .product(name: "PhoneSignup", package: "phoneproof"),
                .product(name: "PhoneViewModel", package: "phoneproof"),
                .product(name: "Reactive", package: "phoneproof"),
            ]
        )
    ]
)
""".lstrip()

APP = """
import PhoneNumbers
import PhoneProofClient
import PhoneSignup
import PhoneViewModel
import Reactive

struct FakeUseCase: PhoneUseCase {
    func phoneText(_ typed: String) -> PhoneText { PhoneText(typed, region: .korea) }
    func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode {
        SentCode(id: "code-1", number: try request.number)
    }
    func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount {
        guard codeText == "123456" else { throw SignupFailure(.codeIncorrect) }
        return SignedUpAccount(id: "account-1", isNew: true)
    }
}

/// A network with nobody in it.
struct NoNetwork: HTTPTransport {
    struct Down: Error {}
    func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse { throw Down() }
}

let session = PhoneViewSession(PhoneViewModel(useCase: FakeUseCase(), phoneText: "010-"))
print(session.changePhoneText("0101234567").isSendEnabled, session.changePhoneText("01012345678").phoneText)
print(await session.tapSend().sentCode?.number.e164 ?? "none")
session.changeCodeText("000000")
print(await session.tapSignUp().failure?.code.rawValue ?? "none")
session.changeCodeText("123456")
print(await session.tapSignUp().signedUp?.id ?? "none")

let retries = PhoneProofClient.Retries(attempts: 1)
let client = PhoneProofClient(server: "https://phone.example", transport: NoNetwork(), retries: retries)
do {
    _ = try await client?.beginSignup(region: .korea)
} catch {
    print(error)
}
"""


SERVER_MANIFEST = f"""
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "shop",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "phoneproof", path: "{ROOT}", traits: ["Hummingbird"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "shop",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "PhoneProofAsyncHTTPClient", package: "phoneproof"),
                .product(name: "PhoneProofClient", package: "phoneproof"),
                .product(name: "PhoneProofHummingbird", package: "phoneproof"),
            ]
        )
    ]
)
""".lstrip()

SERVER = """
import AsyncHTTPClient
import Glibc
import Hummingbird
import PhoneProofAsyncHTTPClient
import PhoneProofClient
import PhoneProofHummingbird

struct ShopContext: SignedInRequestContext {
    var coreContext: CoreRequestContextStorage
    var accessToken: VerifiedAccessToken?
    init(source: Source) { coreContext = .init(source: source) }
}

let http = HTTPClient(configuration: AsyncHTTPClientTransport.configuration)
let transport = AsyncHTTPClientTransport(http)
let (server, issuer) = (CommandLine.arguments[1], CommandLine.arguments[2])
guard let client = PhoneProofClient(server: server, transport: transport) else { fatalError("no server") }
let router = Router(context: ShopContext.self)
router.add(middleware: AccessTokenMiddleware(AccessTokenVerifier(client, issuer: issuer, audience: issuer)))
router.get("me") { _, context in context.accessToken?.accountID ?? "nobody" }
let app = Application(
    router: router,
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { channel in
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
    }
)
try await app.runService()
try await http.shutdown()
"""


def swift(folder, *arguments):
    done = subprocess.run(["swift", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def make_package(name, manifest, source):
    """A package with a program of its name, built; gives its folder."""
    folder = ROOT / ".build" / "tests" / name
    for path, text in (("Package.swift", manifest), (f"Sources/{name}/main.swift", source)):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
    start = time.monotonic()
    swift(folder, "build")
    print(f"{name} built in {time.monotonic() - start:.0f} s")
    return folder


def resolved(folder):
    """The names of the packages that this one depends on, and those of ours."""
    def names(package):
        return sorted(each["name"] for each in package["dependencies"])

    graph = json.loads(swift(folder, "package", "show-dependencies", "--format", "json"))
    phoneproof, = (each for each in graph["dependencies"] if each["name"] == "phoneproof")
    return names(graph), names(phoneproof)


class PackageTests(unittest.TestCase):
    def test_an_app_resolves_nothing_and_builds(self):
        folder = make_package("app", MANIFEST, APP)
        self.assertEqual(resolved(folder), (["phoneproof"], []))
        self.assertEqual([*folder.glob(".build/checkouts/*")], [])
        self.assertEqual(
            swift(folder, "run", "--skip-build", "app").splitlines(),
            ["false 010-1234-5678", "+821012345678", "code_incorrect", "account-1", "unreachable(reason: \"Down()\")"],
        )

    def test_the_sample_app_has_the_right_types(self):
        """Against a stub of SwiftUI's few names, and with Foundation's URLSession: the real ones are on Apple's systems alone."""
        sources = MODULES["PhoneProofClient"]
        sample = ROOT / "Tools" / "SampleApp"
        with tempfile.TemporaryDirectory() as folder:
            for name, arguments in (
                ("SwiftUI", ["-emit-module", sample / "Stub" / "SwiftUI.swift"]),
                ("PhoneProofClient", [
                    "-emit-module", "-D", "PHONEPROOF_CHECK_URLSESSION", "-package-name", package_name(),
                    *sorted(sources.glob("*.swift")),
                ]),
                ("SampleApp", ["-typecheck", "-warnings-as-errors", sample / "SampleApp.swift"]),
            ):
                done = subprocess.run(
                    ["swiftc", "-parse-as-library", "-swift-version", "6", "-module-name", name, "-module-cache-path", folder,
                     "-enable-upcoming-feature", "InternalImportsByDefault",
                     "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
                     *(["-o", f"{folder}/{name}.swiftmodule"] if "-emit-module" in arguments else []),
                     "-I", folder, "-I", pathlib.Path(PROGRAM).parent / "Modules", *arguments],
                    capture_output=True, text=True,
                )
                self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")


class MiddlewareTests(ServiceTestCase):
    """A server with Hummingbird, elsewhere, that lets those in who are signed in here."""

    ISSUER = "https://phone.test"
    settings = {"TOKENS_ISSUER": ISSUER}

    def start_shop(self, service):
        folder = make_package("shop", SERVER_MANIFEST, SERVER)
        shop = subprocess.Popen([folder / ".build/debug/shop", service.url, self.ISSUER], stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (shop.kill(), shop.wait(), shop.stdout.close()))
        return Client(int(shop.stdout.readline()))

    def me(self, shop, token=None):
        answer = shop.call("GET", "/me", token=token)
        return answer.status, answer.headers["WWW-Authenticate"] or answer.text

    @unittest.skipUnless(FULL, "builds Hummingbird: some minutes")
    def test_access_tokens_are_verified_by_keys_that_rotate(self):
        service = self.serve()
        shop = self.start_shop(service)
        needed = ["async-http-client", "hummingbird", "swift-crypto", "swift-http-types", "swift-log", "swift-nio"]
        self.assertEqual(resolved(ROOT / ".build/tests/shop")[1], needed)
        signed_up = service.client.sign_up("010-1234-5678").json
        account, tokens = signed_up["account"]["id"], signed_up["tokens"]
        old = tokens["access_token"]
        head, body, signature = old.split(".")
        invalid = (401, 'Bearer error="invalid_token"')
        self.assertEqual(self.me(shop), (401, "Bearer"))
        self.assertEqual(self.me(shop, old), (200, account))
        self.assertEqual(self.me(shop, f"{head}.{body}.{signature[::-1]}"), invalid)
        self.assertEqual(self.me(shop, tokens["refresh_token"]), invalid)
        self.done("keys", "rotate-signing", "--at-once")
        refresh = {"refresh_token": tokens["refresh_token"]}
        new = wait_for(lambda: self.new_token(service, refresh, head), "a token by the new key")
        wait_for(lambda: self.me(shop, new) == (200, account), "the new key")
        self.assertEqual(self.me(shop, old), invalid)
        service.kill()
        self.assertEqual(self.me(shop, new), (200, account))

    @unittest.skipUnless(FULL, "builds Hummingbird: some minutes")
    def test_tokens_by_rs256_and_a_service_that_is_not_there(self):
        service = self.serve(TOKENS_ALGORITHM="RS256")
        shop = self.start_shop(service)
        signed_up = service.client.sign_up("010-1234-5678").json
        token = signed_up["tokens"]["access_token"]
        self.assertEqual(self.me(shop, token), (200, signed_up["account"]["id"]))
        service.kill()
        other = self.start_shop(service)
        self.assertEqual(self.me(other, token)[0], 503)

    def new_token(self, service, refresh, old_head):
        token = service.client.call("POST", "/v1/tokens", refresh).json.get("access_token", old_head)
        return token if token.split(".")[0] != old_head else None


def package_name():
    """What SwiftPM calls the package: its folder."""
    return ROOT.name.lower()
