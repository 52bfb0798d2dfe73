import CoreEncodings
import OpenSSLCrypto
package import PhoneAdministration
package import PhoneDelivery
package import PhoneDomain
import PhoneNumbers
package import PhoneService
import PhoneSignup
package import PhoneStore
import SystemPackage

/// Only the operator's own app causes messages: the makers of devices say that it has asked.
package struct AppIntegrity: Dock {
    package static let records: [any Record.Type] = [AppKey.self]

    private let isRequired: Bool
    private let apple: AppAttest?
    private let google: PlayIntegrity?

    package init(_ reader: SettingsReader) {
        let section = reader.section("app_integrity") {
            "Your own app as a proof, in place of computing or a captcha: the maker of its device says that it has asked."
            "It counts where challenge.kind is not off."
        }
        isRequired = section("is_required").flag(false) {
            "Whether nothing else counts and every message needs it, unless the caller vouches for the person. Pages and"
            "the prompt cause no messages then."
        }
        apple = Self.apple(reader)
        google = Self.google(reader)
        if isRequired, reader.text(at: "challenge.kind") == "off" {
            // Or nothing would be asked for at all.
            reader.failTogether("app_integrity.is_required is true, which needs a challenge.kind that is not off")
        }
        if isRequired, apple == nil, google == nil {
            reader.failTogether(
                "app_integrity.is_required is true, which needs app_integrity.app_attest.app_ids or "
                    + "app_integrity.play_integrity.package"
            )
        }
    }

    private static func apple(_ reader: SettingsReader) -> AppAttest? {
        let section = reader.section("app_integrity.app_attest") {
            "App Attest, for iOS. It is accepted if this has app_ids."
        }
        let appIDs = section("app_ids").list(
            [String](),
            "app IDs such as ABCDE12345.com.example.app",
            { text in
                text.utf8.count <= 255 && text.split(separator: ".").count >= 2
                    && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-.".utf8.contains($0) } ? text : nil
            }
        ) { "The team and the bundle of each app." }
        let environment = section("environment").choice(AppAttest.Environment.production) {
            "development: for apps that run from Xcode, and no others."
        }
        let file = section("root_file").value(example: "/etc/phoneproof/apple-app-attest.pem", "a path", { $0 }) {
            "Apple's certificate for App Attest, in PEM, from https://www.apple.com/certificateauthority/private/."
        }
        guard !appIDs.isEmpty else { return nil }
        guard let file else {
            reader.failTogether("app_integrity.app_attest.app_ids needs app_integrity.app_attest.root_file")
            return nil
        }
        guard let root = (try? FilePath(file).contents()).flatMap(Certificate.init(pem:)) else {
            reader.failTogether("app_integrity.app_attest.root_file: \(file) is no certificate in PEM")
            return nil
        }
        return AppAttest(appIDs: appIDs, environment: environment, root: root)
    }

    private static func google(_ reader: SettingsReader) -> PlayIntegrity? {
        let section = reader.section("app_integrity.play_integrity") {
            "Play Integrity, for Android. Tokens are read with response keys that you manage yourself (Play Console, App"
            "integrity), or by Google's server with a service account. It is accepted if this has a package."
        }
        let package = section("package").value(
            example: "com.example.app",
            "a package name",
            { text in
                (1...255).contains(text.utf8.count)
                    && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "_.".utf8.contains($0) } ? text : nil
            }
        ) { "The package of the app." }
        let certificates = section("certificates").list(
            [String](),
            "SHA-256 digests in base64url",
            { text in [UInt8](.base64URL, text.utf8)?.count == 32 ? text : nil }
        ) { "The certificates that the app is signed with; none for any that Google Play knows it by." }
        let device = section("device").choice(PlayIntegrity.Device.device) {
            "What a device must be at least: basic, device or strong, as Google has the words."
        }
        let accountText = section("google_service_account").secret(
            example: "/run/secrets/play-integrity.json",
            isNeeded: package != nil
        ) {
            "The key of a service account of the app's project, as Google gives it (JSON): Google's server reads the tokens,"
            "and keys of your own are not needed."
        }
        let server = section("google_url").address("https://playintegrity.googleapis.com") {
            "Google's server."
        }
        let decryption = section("decryption_key").secret(
            example: "/run/secrets/play-decryption",
            isNeeded: package != nil
        ) { "The decryption key, in base64, as the Play Console shows it." }
        let verification = section("verification_key").secret(
            example: "/run/secrets/play-verification",
            isNeeded: package != nil
        ) { "The verification key, in base64, as the Play Console shows it." }
        guard let package else { return nil }
        if let server, server.isPlain, !server.isLoopback {
            reader.failTogether("app_integrity.play_integrity.google_url must be an https URL")
        }
        let account = accountText.flatMap { GoogleServiceAccount($0) }
        if accountText != nil, account == nil {
            let key = "app_integrity.play_integrity.google_service_account_file"
            reader.reject(key, "", wanted: "the JSON file of a service account", isSecret: true)
        }
        let reading: PlayIntegrity.Reading
        if let account, let server {
            reading = .server(account, at: server)
        } else if let keys = keys(decryption, verification) {
            reading = .keys(keys)
        } else {
            reader.failTogether(
                "app_integrity.play_integrity.package needs google_service_account_file; or decryption_key_file, an AES key "
                    + "of 256 bits in base64, and verification_key_file, a public key on P-256 in base64"
            )
            return nil
        }
        return PlayIntegrity(package: package, certificates: Set(certificates), device: device, reading: reading)
    }

    private static func keys(_ decryption: String?, _ verification: String?) -> EncryptedTokenKeys? {
        func bytes(_ text: String?) -> [UInt8]? {
            text.flatMap { [UInt8](.base64, $0.utf8.filter { $0 != UInt8(ascii: "=") && $0 > 0x20 }) }
        }
        guard let unwrapping = bytes(decryption), let verifying = bytes(verification) else { return nil }
        return EncryptedTokenKeys(unwrapping: unwrapping, verifying: verifying)
    }

    package var findings: [Finding] {
        let ways = [
            apple.map { "App Attest of \($0.appIDs.joined(separator: ", ")) (\($0.environment.rawValue))" },
            google.map { "Play Integrity of \($0.package)\($0.isReadByServer ? ", read by Google's server" : "")" },
        ]
        .compactMap(\.self)
        let facts = ways.joined(separator: ", ") + (isRequired ? ", required for every message" : "")
        return Finding.facts("app_integrity", ways.isEmpty ? nil : facts)
    }

    package func appVerifier(
        over store: any SQLStore,
        in environment: DeliveryEnvironment
    ) -> (any AppVerifier)? {
        guard apple != nil || google != nil else { return nil }
        var decoder: GoogleDecoder?
        if case .server(let account, let url) = google?.reading {
            decoder = GoogleDecoder(account, at: url, environment)
        }
        return StatementVerifier(isRequired: isRequired, apple: apple, google: google, decoder: decoder, store: store)
    }
}

struct StatementVerifier: AppVerifier {
    let isRequired: Bool
    let apple: AppAttest?
    let google: PlayIntegrity?
    /// Google's server, where that reads tokens.
    let decoder: GoogleDecoder?
    let store: any SQLStore

    func verify(_ proof: AppProof, at now: Timestamp) async -> CaptchaResult {
        do {
            return try await isValid(proof, at: now) ? .passed : .failed
        } catch {
            return .unavailable
        }
    }

    private func isValid(_ proof: AppProof, at now: Timestamp) async throws -> Bool {
        switch proof.statement {
        case .token(let token):
            guard let google, let claims = try await claims(in: token, of: google, at: now) else { return false }
            return google.accepts(claims, nonce: proof.nonce, at: now)
        case .attestation(let id, let bytes):
            guard let key = try apple?.key(of: bytes, keyID: id, nonce: proof.nonce, at: now) else { return false }
            return try await store.execute(.change) { records in
                // The same again, by a client that did not get the answer, is as good; not to begin its counter anew.
                if let known = try records.find(AppKey.self, id) { return known.counter == 0 }
                try records.put(key)
                return true
            }
        case .assertion(let id, let bytes):
            guard let key = try await store.find(AppKey.self, id),
                let counter = try apple?.counter(of: bytes, by: key, nonce: proof.nonce)
            else { return false }
            return try await store.execute(.change) { records in
                guard var known = try records.find(AppKey.self, id), known.use(counter: counter, at: now) else {
                    return false
                }
                try records.edit(AppKey.self, id) { $0 = known }
                return true
            }
        }
    }
    private func claims(
        in token: String,
        of google: PlayIntegrity,
        at now: Timestamp
    ) async throws -> [String: JSON]? {
        switch google.reading {
        case .keys(let keys): keys.claims(in: token)
        case .server: try await decoder?.claims(in: token, of: google.package, at: now)
        }
    }
}
