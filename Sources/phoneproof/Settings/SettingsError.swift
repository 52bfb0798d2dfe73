/// A setting that is missing, unknown or out of its range, in one line that says what to do.
struct SettingsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A key whose value will not do.
    init(key: String, value: String, wanted: String) {
        description = "\(key) is '\(value)'; it must be \(wanted) (or set \(Self.environmentName(of: key)))"
    }

    /// A key whose value will not do and is not to be seen in a log.
    init(key: String, wanted: String) {
        description = "\(key) will not do; it must be \(wanted) (or set \(Self.environmentName(of: key)))"
    }

    /// The environment variable that overrides a key: `server.port` is `PHONEPROOF_SERVER_PORT`.
    static func environmentName(of key: String) -> String {
        "PHONEPROOF_" + String(key.map { $0 == "." ? "_" : $0 }).uppercased()
    }
}
