public import CoreEncodings
public import PhoneAccounts

/// What became of settings that were read again while a service runs.
public struct SettingsReload: Hashable, Sendable {
    /// The keys of settings that changed and are in force from now on, in order.
    public let changed: [String]
    /// The keys of settings that changed and stay as they are until a restart, in order.
    public let needingRestart: [String]

    public init(changed: [String], needingRestart: [String]) {
        (self.changed, self.needingRestart) = (changed, needingRestart)
    }

    public var json: JSON {
        [
            "changed": .array(changed.map(JSON.string)),
            "needs_restart": .array(needingRestart.map(JSON.string)),
        ]
    }
}

extension Administration {
    /// Reads the settings of this instance again; each instance does so for itself. Throws
    /// ``AdministrationFailure/conflict(_:)`` if they are invalid: those of before stay in force then.
    public func reloadSettings(by author: Operator) async throws -> SettingsReload {
        guard let reload else {
            throw AdministrationFailure.conflict("this process serves nothing; ask the service")
        }
        return try await reload(author)
    }
}
