import Configuration
import SystemPackage
import Yams

/// Reads settings from the environment and from a file, in that order, and forgives nothing: a value of the wrong type
/// and a key that nobody reads are errors, since a misspelt limit is no limit.
struct SettingsReader {
    private let reader: ConfigReader
    private let keysInFile: Set<String>
    private let fileName: String?
    private let variables: Set<String>
    /// The variables of OpenTelemetry, which several programs share (``shared(_:wanted:_:)``).
    private let sharedVariables: [String: String]
    private(set) var keysRead: Set<String> = []
    /// The files that secrets were read from, and the keys that name them.
    private(set) var secretFiles: [(key: String, path: String)] = []

    /// - Parameters:
    ///   - file: a YAML file, or nil for none.
    ///   - environment: the variables; those that begin with `PHONEPROOF_` count.
    init(file: String?, environment: [String: String]) async throws(SettingsError) {
        let variables = EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "phoneproof")
        fileName = file
        sharedVariables = environment.filter { $0.key.hasPrefix("OTEL_") && !$0.value.isEmpty }
        self.variables = Set(environment.keys.filter { $0.hasPrefix("PHONEPROOF_") })
        guard let file else {
            reader = ConfigReader(provider: variables)
            keysInFile = []
            return
        }
        do {
            let text = try String(decoding: FilePath(file).contents(), as: UTF8.self)
            guard let root = try Yams.compose(yaml: text) else {
                // A file of comments only sets nothing.
                reader = ConfigReader(provider: variables)
                keysInFile = []
                return
            }
            keysInFile = Self.keys(in: root, below: "")
            reader = ConfigReader(providers: [
                variables, try await FileProvider<YAMLSnapshot>(filePath: FilePath(file)),
            ])
        } catch let error as Errno {
            throw SettingsError("cannot read \(file): \(error); name an existing file with --config")
        } catch {
            let reason = "\(error)".split(whereSeparator: \.isNewline).prefix(2).joined(separator: " ")
            throw SettingsError("\(file) is not valid YAML of keys and values: \(reason)")
        }
    }

    private static func keys(in node: Node, below prefix: String) -> Set<String> {
        // A section of which every line is a comment is null.
        if node.null != nil { return [] }
        guard case .mapping(let mapping) = node else { return [prefix] }
        return mapping.reduce(into: []) { keys, pair in
            let name = pair.key.string ?? "?"
            keys.formUnion(Self.keys(in: pair.value, below: prefix.isEmpty ? name : "\(prefix).\(name)"))
        }
    }

    /// What the scripts beside the program read.
    private static let variablesOfScripts: Set = [
        "PHONEPROOF_BUILD", "PHONEPROOF_SWIFT_HOME", "PHONEPROOF_SWIFT_URL", "PHONEPROOF_SWIFT_KEYS_URL",
        "PHONEPROOF_TEST_POSTGRESQL",
    ]

    /// Whether it is one that Kubernetes sets for every container beside a service named phoneproof
    /// (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
    private static func isOfAnOrchestrator(_ name: String) -> Bool {
        name.hasPrefix("PHONEPROOF_SERVICE_") || name == "PHONEPROOF_PORT" || name.hasPrefix("PHONEPROOF_PORT_")
    }

    /// Whether a key is set by the file, and the environment does not override it.
    func isInFileAlone(_ key: String) -> Bool {
        keysInFile.contains(key) && !variables.contains(SettingsError.environmentName(of: key))
    }

    /// The text at a key, or nil if it is not set or empty.
    mutating func text(_ key: String) throws(SettingsError) -> String? {
        keysRead.insert(key)
        if let text = reader.string(forKey: ConfigKey(key)) {
            return text.isEmpty ? nil : text
        }
        if let list = reader.stringArray(forKey: ConfigKey(key)) {
            throw SettingsError(key: key, value: list.joined(separator: ", "), wanted: "one value, not a list")
        }
        return nil
    }

    /// A secret: from the environment, or from the file that the key with `_file` names, without white space around it. It
    /// is not taken from the file of settings, which is shown around, and no error quotes it.
    ///
    /// - Parameter isNeeded: whether the file must be there.
    mutating func secret(_ key: String, isNeeded: Bool) throws(SettingsError) -> String? {
        let fileKey = key + "_file"
        let variable = SettingsError.environmentName(of: key)
        guard !keysInFile.contains(key) else {
            throw SettingsError(
                "\(key) is a secret; put it in a file of its own, name that by \(fileKey), or set \(variable)"
            )
        }
        let path = try text(fileKey)
        if let text = try text(key) { return text }
        guard isNeeded, let path else { return nil }
        do {
            let text = String(decoding: try FilePath(path).contents(), as: UTF8.self)
            let secret = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
            guard !secret.isEmpty else { throw SettingsError("\(fileKey): \(path) is empty; write the secret into it") }
            secretFiles.append((fileKey, path))
            return String(secret)
        } catch let error as SettingsError {
            throw error
        } catch {
            throw SettingsError(
                "\(fileKey): cannot read \(path): \(error); name a file that can be read, or set \(variable)"
            )
        }
    }

    /// The value of the first of these variables of OpenTelemetry that is set and not empty, or nil. No error quotes it.
    func shared<Value>(
        _ names: String...,
        wanted: String = "a text",
        _ read: (String) -> Value? = { $0 }
    ) throws(SettingsError) -> Value? {
        guard let name = names.first(where: { sharedVariables[$0] != nil }), let text = sharedVariables[name] else {
            return nil
        }
        guard let value = read(text) else { throw SettingsError("\(name) will not do; it must be \(wanted)") }
        return value
    }

    /// The text at a key, read as a `Value`.
    mutating func value<Value>(
        _ key: String,
        default standard: Value,
        wanted: String,
        isSecret: Bool = false,
        _ read: (String) -> Value?
    ) throws(SettingsError) -> Value {
        guard let text = try text(key) else { return standard }
        guard let value = read(text) else {
            throw isSecret
                ? SettingsError(key: key, wanted: wanted) : SettingsError(key: key, value: text, wanted: wanted)
        }
        return value
    }

    mutating func integer(_ key: String, default standard: Int, in range: ClosedRange<Int>) throws(SettingsError) -> Int
    {
        try value(key, default: standard, wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func seconds(
        _ key: String,
        default standard: Duration,
        in range: ClosedRange<Int>
    ) throws(SettingsError) -> Duration {
        .seconds(try integer(key, default: Int(standard.components.seconds), in: range))
    }

    mutating func flag(_ key: String, default standard: Bool) throws(SettingsError) -> Bool {
        try value(key, default: standard, wanted: "true or false") {
            switch $0 {
            case "true": true
            case "false": false
            default: nil
            }
        }
    }

    /// A list, in YAML as one, in the environment separated by commas.
    mutating func list<Element>(
        _ key: String,
        default standard: [Element],
        wanted: String,
        isSecret: Bool = false,
        _ read: (String) -> Element?
    ) throws(SettingsError) -> [Element] {
        keysRead.insert(key)
        let texts: [String]
        if let list = reader.stringArray(forKey: ConfigKey(key)) {
            texts = list
        } else if let text = reader.string(forKey: ConfigKey(key)) {
            texts = text.split(separator: ",").map(String.init)
        } else {
            return standard
        }
        var elements: [Element] = []
        for text in texts {
            let bare = String(text.trimmingPrefix { $0 == " " })
            guard let element = read(bare) else {
                throw isSecret
                    ? SettingsError(key: key, wanted: wanted) : SettingsError(key: key, value: bare, wanted: wanted)
            }
            elements.append(element)
        }
        return elements
    }

    /// Ends the reading: whatever stands in the file or in the environment and was not read is a mistake.
    func finish() throws(SettingsError) {
        let known = Set(keysRead.map(SettingsError.environmentName)).union(Self.variablesOfScripts)
        if let unknown = variables.subtracting(known).filter({ !Self.isOfAnOrchestrator($0) }).min() {
            throw SettingsError(
                "\(unknown) sets nothing; unset it, or correct it by the comments in config/phoneproof.yaml"
            )
        }
        guard let unknown = keysInFile.subtracting(keysRead).min() else { return }
        let near = keysRead.filter { $0.split(separator: ".").last == unknown.split(separator: ".").last }.min()
        let hint = near.map { "; did you mean \($0)?" } ?? "; remove it, or see the comments in config/phoneproof.yaml"
        throw SettingsError("\(fileName ?? "the file"): there is no setting \(unknown)\(hint)")
    }
}
