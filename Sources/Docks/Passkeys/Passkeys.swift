import CoreEncodings
package import PhoneAdministration
import PhoneDomain
package import PhoneHTTP
package import PhoneService
package import PhoneStore

/// Sign-in by a passkey (WebAuthn) for people who have an account by their number: on the pages, in sign-ins by OpenID
/// Connect, and by the API. The number stays the way back in.
package struct Passkeys: Dock {
    package static let records: [any Record.Type] = [Passkey.self]

    private let isEnabled: Bool
    private let id: String?
    private let origins: [String]
    private let policy: PasskeyUseCase.NumberChangePolicy
    private let unused: Duration
    private let freshProof: Duration
    private let issuer: EndpointURL?

    package init(_ reader: SettingsReader) {
        issuer = reader.text(at: "tokens.issuer").flatMap { EndpointURL($0) }
        let passkeys = reader.section("passkeys") {
            "Sign-in by a passkey, which the pages offer to who has proven a number. The API is at /v1/passkeys."
        }
        isEnabled = passkeys("enabled").flag(false) { "Whether people can sign in by passkeys." }
        id = passkeys("rp_id")
            .value(example: "example.com", "a domain in lower case, such as example.com", Self.domain) {
                "The domain that passkeys are for: that of the pages, or one above it. Who changes it makes all passkeys"
                "useless. By default the host of tokens.issuer."
            }
        origins = passkeys("origins")
            .list(
                [String](),
                example: "[\"https://account.example.com\"]",
                "origins, such as https://account.example.com or android:apk-key-hash:…",
                Self.origin
            ) {
                "The pages and apps that may ask for passkeys. By default that of tokens.issuer."
            }
        policy = passkeys("after_number_change").choice(PasskeyUseCase.NumberChangePolicy.end) {
            "What becomes of an account's passkeys when its number changes: with end they are of no more use, with ask the"
            "person says of each whether it is still theirs, once signed in by a code to the new number."
        }
        unused = passkeys("unused_days").duration(.seconds(90 * 86_400), of: .seconds(86_400), in: 1...3650) {
            "For how many days a passkey may go unused before it counts as one of a former number: meanwhile the number may"
            "have been given to somebody else."
        }
        freshProof = passkeys("fresh_proof_minutes").duration(.seconds(1800), of: .seconds(60), in: 1...1440) {
            "For how many minutes after signing in a person can add a passkey. Who has stolen a session must not be able to"
            "stay by a key of their own."
        }
    }

    /// Nil unless it is names with dots between, and no address.
    private static func domain(_ text: String) -> String? {
        guard let origin = WebOrigin("https://\(text)"), !text.contains(":"), IPAddress(text) == nil else { return nil }
        return String(origin.description.dropFirst(8))
    }

    /// Whether pages of this host may ask for passkeys of the domain. Nobody has one like `com`.
    private static func has(_ domain: String, _ host: String) -> Bool {
        host == domain || domain.contains(".") && host.hasSuffix("." + domain)
    }

    private static func origin(_ text: String) -> String? {
        WebOrigin(text) != nil || text.hasPrefix("android:apk-key-hash:") && text.utf8.count == 64 ? text : nil
    }

    package var findings: [Finding] {
        guard isEnabled else { return Finding.facts("passkeys", nil) }
        var findings = [
            Finding("passkeys", "for \(id ?? "the host of tokens.issuer"); when a number changes: \(policy.rawValue)")
        ]
        let domain = id ?? issuer.flatMap { Self.domain($0.host) }
        if domain == nil || issuer == nil && origins.isEmpty {
            findings.append(
                .warning(
                    "browsers have passkeys for a domain alone, and there is none; set tokens.issuer to a URL with one "
                        + "(passkeys.enabled)"
                )
            )
        }
        let own = issuer.map(\.origin)
        for page in [own].compactMap(\.self) + origins.filter({ $0 != own }) {
            guard let domain, let host = EndpointURL(page)?.host, !Self.has(domain, host) else { continue }
            findings.append(
                .warning(
                    "browsers have no passkeys for \(domain) at \(page); name its host or a domain above it, with a dot "
                        + "(passkeys.rp_id)"
                )
            )
        }
        if let own, !origins.isEmpty, !origins.contains(own) {
            findings.append(
                .warning("passkeys of the service's own pages are refused; add \(own) to the others (passkeys.origins)")
            )
        }
        for origin in origins where WebOrigin(origin)?.isPlain == true {
            findings.append(.warning("browsers have no passkeys for \(origin), which is plain HTTP (passkeys.origins)"))
        }
        return findings
    }

    package var docsLine: DocsLine? {
        guard isEnabled else { return nil }
        return DocsLine(
            title: "Passkeys",
            path: "/v1/passkeys",
            text:
                "Sign-in by WebAuthn after the phone: `POST /v1/passkeys/sign-in/options`, then `/v1/passkeys/sign-in`."
        )
    }

    /// Nil where they are off, and where the service has no domain: then no browser has any.
    private func useCase(over service: DockService) -> PasskeyUseCase? {
        guard isEnabled, let issuer = EndpointURL(service.discovery.issuer), let id = id ?? Self.domain(issuer.host),
            let site = try? RelyingParty(id: id, origins: origins.isEmpty ? [issuer.origin] : Set(origins))
        else { return nil }
        return PasskeyUseCase(service: service, site: site, policy: policy, unused: unused, freshProof: freshProof)
    }

    package func addRoutes(to router: APIRouter, over service: DockService) {
        guard let useCase = useCase(over: service) else { return }
        PasskeyRoutes(passkeys: useCase, accounts: service.accounts).addRoutes(to: router.group("/v1/passkeys"))
        OperatorRoutes(passkeys: useCase).addRoutes(to: router.group("/v1/admin/accounts/{account}/passkeys"))
    }

    package func keySignIn(over service: DockService) -> (any KeySignIn)? {
        useCase(over: service).map { PasskeyPages(passkeys: $0) }
    }
}
