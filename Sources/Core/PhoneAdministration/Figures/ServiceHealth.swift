public import PhoneAccounts
public import PhoneDomain
public import PhoneSignup

/// A service that runs on the store, as it says itself.
public struct Instance: Identified, Hashable, Sendable {
    public static let identifierPrefix = "ins"
    /// How often it says so, at least.
    public static let interval: Duration = .seconds(30)
    /// How often it looks whether it finds something else than it has said.
    public static let lookInterval: Duration = .seconds(5)
    /// How long an instance is listed that was killed, and so has not removed itself.
    public static let patience: Duration = .seconds(90)

    /// A new one at each start.
    public let id: ID
    public let host: String
    public let process: Int
    public let version: String
    /// When it started, by its own clock.
    public let startedAt: Timestamp
    /// By the clock of the database: that of an instance may be off.
    public var seenAt: Timestamp
    /// What it finds by itself (``Administration/ownFindings()``).
    public var findings: [Finding]

    public init(
        id: ID,
        host: String,
        process: Int,
        version: String,
        startedAt: Timestamp,
        seenAt: Timestamp,
        findings: [Finding] = []
    ) {
        (self.id, self.host, self.process, self.version) = (id, host, process, version)
        (self.startedAt, self.seenAt, self.findings) = (startedAt, seenAt, findings)
    }
}

/// What a store says of itself.
public struct StoreFacts: Hashable, Sendable {
    /// `SQLite` or `PostgreSQL`.
    public let engine: String
    public let schemaVersion: Int
    /// The database, free pages included, and without SQLite's log.
    public let bytes: Int

    public init(engine: String, schemaVersion: Int, bytes: Int) {
        (self.engine, self.schemaVersion, self.bytes) = (engine, schemaVersion, bytes)
    }
}

/// The file of the keys that codes are sealed under.
public struct KeyFileFacts: Hashable, Sendable {
    public let keys: Int
    /// When it was last written. A key has no time of its own, and a copy of the file is younger than its keys.
    public let changedAt: Timestamp

    public init(keys: Int, changedAt: Timestamp) { (self.keys, self.changedAt) = (keys, changedAt) }
}

/// The state of a service as an operator asks for it.
public struct ServiceHealth: Sendable {
    /// What is wrong at this moment, the worst first.
    public let findings: [Finding]
    public let store: StoreFacts
    public let instances: [Instance]
    public let validKeys: Int
    /// When the oldest valid API key was created.
    public let oldestKey: Timestamp?
    /// Nil if there is none.
    public let keyFile: KeyFileFacts?
    /// The signing keys that are published, in order of creation.
    public let signingKeys: [SigningKey]
    public let overrides: [Override]
    /// What is set, without ``warnings``.
    public let settings: [(what: String, value: String)]
    /// What is unsafe about it.
    public let warnings: [String]
}

extension Administration {
    public func health() async throws -> ServiceHealth {
        let keys = try await store.apiKeys().filter { $0.revokedAt == nil }
        let settings = configuration()
        return ServiceHealth(
            findings: try await findings(),
            store: try await store.facts(),
            instances: try await store.instances(),
            validKeys: keys.count,
            oldestKey: keys.map(\.createdAt).min(),
            keyFile: keyFile(),
            signingKeys: try await store.signingKeys().published(at: now),
            overrides: try await store.overrides(),
            settings: settings.filter { $0.verdict == .fine }.map { ($0.subject, $0.text) },
            warnings: settings.filter { $0.verdict != .fine }.map(\.text)
        )
    }
}
