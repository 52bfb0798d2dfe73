public import ArgumentParser
public import PhoneDomain
public import PhoneHTTP
public import Records

/// What answers in somebody else's words beside the service's own API: a target that may be left out. It brings its
/// routes, its records, its settings and its commands, over the use cases that the service's own API has.
public protocol Dock: Sendable {
    /// The types of record that it stores.
    static var records: [any Record.Type] { get }
    /// What its commands stand behind: `phoneproof NAME COMMAND`.
    static var name: String { get }
    static var abstract: String { get }
    static var commands: [any DockCommand.Type] { get }

    init(_ settings: any DockSettings)

    /// The most digits that a code has which its clients choose; nil if they choose none.
    var longestCode: Int? { get }

    func addRoutes(to router: APIRouter, over service: DockService)
}

/// What the routes of a dock work with.
public struct DockService: Sendable {
    public let verifications: any VerificationUseCase
    public let store: any CompleteSQLStore
    public let keys: APIKeys
    public let catalog: any MessageCatalog
    public let digester: any NumberDigester
    public let identifiers: any IdentifierSource
    public let clock: any WallClock

    public init(
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

/// The settings of a service, as a dock reads its own: each call reads one, and describes it for the reference of all
/// settings. `wanted` says what values are valid.
public protocol DockSettings {
    /// Describes a section of the settings.
    func describe(_ section: String, help: String)
    func flag(_ key: String, _ standard: Bool, help: String) -> Bool
    /// Nil if it is not set.
    func value<Value>(
        _ key: String,
        example: String,
        _ wanted: String,
        help: String,
        _ parse: (String) -> Value?
    ) -> Value?
    /// Waits in whole seconds, at least one of them.
    func waits(_ key: String, _ standard: [Duration], help: String) -> [Duration]
}

/// An act of an operator on a dock's records and keys, with its arguments. The database, the operator and the reason
/// have options that all commands share.
public protocol DockCommand: ParsableArguments {
    static var configuration: CommandConfiguration { get }

    /// Returns what to tell the operator, and what a program may read. Throws ``DockRefusal``, and what the store does.
    func run(
        in store: any CompleteSQLStore,
        keys: APIKeys,
        by author: Operator
    ) async throws -> (notice: String, output: String)
}

/// Why a command was not done, and what to do about it, in one line.
public struct DockRefusal: Error {
    public let line: String
    public init(_ line: String) { self.line = line }
}
