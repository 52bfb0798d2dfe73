"""A package elsewhere that uses the libraries for apps alone: it resolves no dependency, and builds in seconds."""

import json
import pathlib
import subprocess
import tempfile
import time
import unittest

from support import PROGRAM, ROOT

# Kept between runs, as any package keeps its own.
FOLDER = ROOT / ".build" / "tests" / "app"

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


class PackageTests(unittest.TestCase):
    def swift(self, *arguments):
        done = subprocess.run(["swift", *arguments], cwd=FOLDER, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_an_app_resolves_nothing_and_builds(self):
        for path, text in (("Package.swift", MANIFEST), ("Sources/app/main.swift", APP)):
            file = FOLDER / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists() or file.read_text() != text:
                file.write_text(text)
        graph = json.loads(self.swift("package", "show-dependencies", "--format", "json"))
        [phoneproof] = graph["dependencies"]
        self.assertEqual((phoneproof["name"], phoneproof["dependencies"]), ("phoneproof", []))
        start = time.monotonic()
        self.swift("build")
        print(f"built in {time.monotonic() - start:.0f} s")
        self.assertEqual([*pathlib.Path(FOLDER, ".build", "checkouts").glob("*")], [])
        self.assertEqual(
            self.swift("run", "--skip-build", "app").splitlines(),
            ["false 010-1234-5678", "+821012345678", "code_incorrect", "account-1", "unreachable(reason: \"Down()\")"],
        )

    def test_the_sample_app_has_the_right_types(self):
        """Against a stub of SwiftUI's few names, and with Foundation's URLSession: the real ones are on Apple's systems alone."""
        sources = ROOT / "Sources" / "PhoneProofClient"
        sample = ROOT / "Tests" / "SampleApp"
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


def package_name():
    """What SwiftPM calls the package: its folder."""
    return ROOT.name.lower()
