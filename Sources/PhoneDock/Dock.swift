package import ArgumentParser
package import PhoneDomain
package import PhoneHTTP
package import PhoneSettings
package import Records

/// What answers in somebody else's words beside the service's own API: a target that may be left out. It brings its
/// routes, its records, its section of the settings and its commands, over the use cases that the service's own API
/// has.
package protocol Dock: ExtraSettings {
    /// The types of record that it stores.
    static var records: [any Record.Type] { get }
    /// What its commands stand behind: `phoneproof NAME COMMAND`.
    static var name: String { get }
    static var abstract: String { get }
    static var commands: [any DockCommand.Type] { get }

    func addRoutes(to router: APIRouter, over service: DockService)
    /// What `/docs` says of its routes; nil while it has none.
    var docsLine: DocsLine? { get }
}

/// What the routes of a dock work with.
package struct DockService: Sendable {
    package let verifications: any VerificationUseCase
    package let store: any CompleteSQLStore
    package let keys: APIKeys
    package let catalog: any MessageCatalog
    package let digester: any NumberDigester
    package let identifiers: any IdentifierSource
    package let clock: any WallClock

    package init(
        verifications: any VerificationUseCase,
        store: any CompleteSQLStore,
        keys: APIKeys,
        catalog: any MessageCatalog,
        digester: any NumberDigester,
        identifiers: any IdentifierSource,
        clock: any WallClock
    ) {
        (self.verifications, self.store, self.keys, self.catalog) = (verifications, store, keys, catalog)
        (self.digester, self.identifiers, self.clock) = (digester, identifiers, clock)
    }
}

/// An act of an operator on a dock's records and keys, with its arguments. The database, the operator and the reason
/// have options that all commands share.
package protocol DockCommand: ParsableArguments {
    static var configuration: CommandConfiguration { get }
    /// With this option `phoneproof keys create` is the command; nil for none.
    static var keyOption: String? { get }

    /// Returns what to tell the operator, and what a program may read. Throws ``DockRefusal``, and what the store does.
    func run(
        in store: any CompleteSQLStore,
        keys: APIKeys,
        by author: Operator
    ) async throws -> (notice: String, output: String)
}

/// Why a command was not done, and what to do about it, in one line.
package struct DockRefusal: Error {
    package let line: String
    package init(_ line: String) { self.line = line }
}
