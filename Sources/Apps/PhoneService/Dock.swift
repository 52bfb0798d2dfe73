package import ArgumentParser
package import CoreEncodings
package import PhoneAccounts
package import PhoneAdministration
package import PhoneDelivery
package import PhoneDomain
package import PhoneHTTP
package import PhoneStore

/// What answers in somebody else's words beside the service's own API: a target that may be left out. It brings its
/// routes, its records and its section of the settings, over the use cases that the service's own API has.
package protocol Dock: Sendable {
    /// Reads its section, and thereby describes it for the reference.
    init(_ reader: SettingsReader)

    /// How long a code may be that it sends; nil if it chooses no codes.
    var longestCode: Int? { get }
    /// What `check-config` says of its settings.
    var findings: [Finding] { get }
    /// The types of record that it stores.
    static var records: [any Record.Type] { get }

    func addRoutes(to router: APIRouter, over service: DockService)
    /// What it adds to the `tokens` in responses of approvals and signups.
    func proofTokens(over service: DockService) -> (any ProofTokens)?
    /// What judges the proofs of the operator's own apps.
    func appVerifier(over store: any SQLStore, in environment: DeliveryEnvironment) -> (any AppVerifier)?
    /// What verifies tokens that prove a number in place of a message.
    func numberProof(
        in environment: DeliveryEnvironment,
        _ deriver: any SecretDeriver,
        _ identifiers: any IdentifierSource
    ) -> (any NumberProofVerifier)?
    /// How people sign in on the pages by a key on their device; nil if it has no such thing.
    func keySignIn(over service: DockService) -> (any KeySignIn)?
    /// What it serves on a listener of its own, which no other address has; nil for nothing.
    func listener(over service: DockService) -> DockListener?
    /// What `/docs` says of its routes; nil while it has none.
    var docsLine: DocsLine? { get }
}

extension Dock {
    package static var records: [any Record.Type] { [] }
    package func addRoutes(to router: APIRouter, over service: DockService) {}
    package func proofTokens(over service: DockService) -> (any ProofTokens)? { nil }
    package func appVerifier(over store: any SQLStore, in environment: DeliveryEnvironment) -> (any AppVerifier)? {
        nil
    }
    package func numberProof(
        in environment: DeliveryEnvironment,
        _ deriver: any SecretDeriver,
        _ identifiers: any IdentifierSource
    ) -> (any NumberProofVerifier)? { nil }
    package func keySignIn(over service: DockService) -> (any KeySignIn)? { nil }
    package func listener(over service: DockService) -> DockListener? { nil }
    package var docsLine: DocsLine? { nil }
    package var longestCode: Int? { nil }
}

/// A dock with commands: `phoneproof NAME COMMAND`.
package protocol DockWithCommands: Dock {
    static var name: String { get }
    static var abstract: String { get }
    static var commands: [any DockCommand.Type] { get }
}

/// A listener beside the service's own, and its routes.
package struct DockListener: Sendable {
    /// The name of its section in the settings, for the log and for errors.
    package let name: String
    package let host: String
    package let port: Int
    /// Where people begin.
    let path: String
    package let makeRouter: @Sendable () -> APIRouter

    package init(
        name: String,
        host: String,
        port: Int,
        path: String = "/",
        makeRouter: @escaping @Sendable () -> APIRouter
    ) {
        (self.name, self.host, self.port, self.path, self.makeRouter) = (name, host, port, path, makeRouter)
    }

    var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)" }
}

/// What the routes of a dock work with.
package struct DockService: Sendable {
    package let verifications: VerificationUseCase
    package let accounts: AccountUseCase
    package let store: any SQLStore
    package let keys: APIKeys
    package let catalog: any MessageCatalog
    package let digester: any NumberDigester
    package let deriver: any SecretDeriver
    package let identifiers: any IdentifierSource
    package let clock: any WallClock
    package let discovery: Discovery
    package let claims: any ClaimsSigner
    package let tokens: any TokenVault
    package var administration: Administration
    /// The proxies before this service.
    package let proxies: TrustedProxies
    /// The language of messages, where a request names none.
    package let language: LanguageTag
}

/// Signs tokens in a dock's own words by the service's keys, which ``Discovery/keySet(request:context:)`` publishes.
package protocol ClaimsSigner: Sendable {
    /// A JSON Web Token by ES256. The issuer (`iss`) must be the dock's own, so that none is taken for another's.
    func sign(_ claims: JSON) async throws -> String
    /// The claims of a token of this service, expired or not; nil for everything else. Both throw if
    /// the keys cannot be loaded.
    func claims(in text: String) async throws -> JSON?
}

/// An act of an operator on a dock's records and keys, with its arguments. The database, the operator and the reason
/// have options that all commands share.
package protocol DockCommand: ParsableArguments {
    static var configuration: CommandConfiguration { get }
    /// With this option `phoneproof keys create` is the command; nil for none.
    static var keyOption: String? { get }

    /// Returns what to print for the operator, and what a program may read. Throws ``Failure``, and what the store does.
    func run(
        in store: any SQLStore,
        keys: APIKeys,
        by author: Operator
    ) async throws -> (notice: String, output: String)
}

extension Identifier {
    /// The same 128 bits in the form of RFC 9562 section 4.
    package var uuid: String {
        let digits = Array(hexadecimal)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    package init?(uuid text: String) {
        self.init(hexadecimal: text.filter { $0 != "-" })
        guard uuid == text else { return nil }
    }
}
