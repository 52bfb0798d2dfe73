import CoreEncodings
import FoundationEssentials
import PhoneAdministration
package import SystemPackage
import YAML

/// Reads settings from environment variables and credentials, which have precedence, and from a YAML file. It collects
/// all errors, and a description of each setting (``reference``).
///
/// A key or variable that is no setting is an error, since a misspelt limit would not limit anything.
package final class SettingsReader {
    fileprivate enum Value: Sendable {
        case text(String)
        case list([String])
    }

    /// What was given, by the file, variables and credentials.
    package struct Given: Sendable {
        fileprivate var valuesInFile: [String: Value] = [:]
        /// The lines of keys and sections in the file, from 1.
        fileprivate var linesInFile: [String: Int] = [:]
        fileprivate var fileName: String?
        /// The variables that begin with PHONEPROOF_.
        fileprivate var variables: [String: String] = [:]
        /// The variables of OpenTelemetry and of Amazon's programs, which several programs share, and the home folder.
        fileprivate var sharedVariables: [String: String] = [:]
        fileprivate var isInKubernetes = false
        fileprivate var files: [String] = []
        fileprivate var keysRead: Set<String> = []
        /// Every setting as it was given or by default, for a comparison with those of another reading. Secrets are
        /// among them.
        fileprivate var readings: [String: String] = [:]
        /// What is set under an old name, for operators.
        var oldNames: [String] = []
    }

    private let given: Given
    /// The secrets that were read, for a comparison.
    private var secrets: [String: String] = [:]
    /// The files that secrets were read from, and the keys that name them.
    package private(set) var secretFiles: [(key: String, path: String)] = []
    /// The files that settings were read from, and those that they name.
    package private(set) var files: [String] = []
    private var keysRead: Set<String> = []
    /// Sections that take what they do not set from another, by their names.
    private var inherited: [String: String] = [:]
    private var errors: [String] = []
    private var dependentErrors: [String] = []
    var descriptions: [Setting.Description] = []
    /// What each section is for, by its key.
    private(set) var help: [String: String] = [:]

    /// - Parameter renamed: the new key of each setting or section that had another name in a version before.
    package init(
        file: String?,
        environment: [String: String],
        renamed: [String: String] = SettingsReader.renamed
    ) throws(SettingsError) {
        var given = Given()
        given.fileName = file
        given.isInKubernetes = environment["KUBERNETES_SERVICE_HOST"] != nil
        given.sharedVariables = environment.filter { name, value in
            !value.isEmpty && (name == "HOME" || ["OTEL_", "AWS_"].contains(where: name.hasPrefix))
        }
        let folder = environment["CREDENTIALS_DIRECTORY"]
        given.variables = try Self.credentials(in: folder)
            .merging(environment.filter { $0.key.hasPrefix("PHONEPROOF_") }) { $1 }
        given.files = [file].compactMap(\.self) + (folder.map(Self.files) ?? [])
        let name = file ?? ""
        do {
            // A file of comments only sets nothing.
            if let file, let root = try YAML.parse(FilePath(file).contents(), mostValues: 10_000) {
                guard case .mapping = root else { throw YAMLError("it is one value") }
                try Self.collect(root, at: "", in: &given.valuesInFile, &given.linesInFile)
            }
            let renamings = renamed.sorted { $0.key < $1.key }
            errors = renamings.flatMap { old, new in given.rename(old, to: new) }
            (self.given, files) = (given, given.files)
        } catch let error as Errno {
            throw SettingsError("cannot read \(name): \(error); name an existing file with --config")
        } catch {
            throw SettingsError("\(name) is not valid YAML of keys and values: \(error)")
        }
    }

    /// Reads what was given anew, but what needs a restart as it was given before.
    init(_ new: Given, keeping running: Given) {
        var given = new
        for key in new.keysRead.union(running.keysRead).filter(Self.needsRestart) {
            let variable = SettingsError.environmentName(of: key)
            given.valuesInFile[key] = running.valuesInFile[key]
            given.variables[variable] = running.variables[variable]
        }
        (self.given, files) = (given, given.files)
    }

    /// The new key of each setting or section that had another name in an earlier version. It is read under that name
    /// as well, with a warning.
    package static let renamed: [String: String] = [:]

    /// What is built once, at the start: settings, and sections with all that is in them. Others are in force when they
    /// are read again.
    private static let builtOnce: Set = [
        "profile", "server", "database", "keys", "sms", "webhooks", "tokens.issuer", "tokens.audience",
        "tokens.algorithm",
        "log.format", "metrics", "tracing",
    ]
    private static let exceptions: Set = [
        "sms.routes", "sms.routing", "sms.channels", "sms.channel_names", "sms.prices", "sms.fallback",
        "sms.fallback_seconds",
        "sms.inbound",
    ]

    /// Whether a change of this setting has no effect before a restart.
    static func needsRestart(_ key: String) -> Bool {
        let parts = key.split(separator: ".")
        let sections = parts.indices.map { parts[...$0].joined(separator: ".") }
        // A listener stays where it is.
        if let last = parts.last, parts.count > 1, last == "host" || last == "port" { return true }
        return sections.contains(where: builtOnce.contains) && !sections.contains(where: exceptions.contains)
    }

    /// What was given and read; complete once every setting has been read.
    var result: Given {
        var result = given
        (result.keysRead, result.readings) = (keysRead, [:])
        for setting in descriptions where !setting.isExample { result.readings[setting.key] = setting.value }
        for key in keysRead {
            if let text = variable(of: key) {
                result.readings[key] = text
            } else {
                switch given.valuesInFile[key] {
                case .text(let text): result.readings[key] = text
                case .list(let texts): result.readings[key] = "[\(texts.joined(separator: ", "))]"
                case nil: break
                }
            }
        }
        result.readings.merge(secrets) { $1 }
        return result
    }

    /// The credentials that systemd passes on (https://systemd.io/CREDENTIALS), which stand for environment variables
    /// that only this process can read: `phoneproof_sms.twilio.auth_token` is `PHONEPROOF_SMS_TWILIO_AUTH_TOKEN`.
    /// Credentials with other names are not for this service.
    private static func credentials(in folder: String?) throws(SettingsError) -> [String: String] {
        guard let folder else { return [:] }
        let prefix = "phoneproof_"
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }
            return try names.reduce(into: [:]) { values, name in
                let text = String(decoding: try FilePath("\(folder)/\(name)").contents(), as: UTF8.self).trimmed
                values[SettingsError.environmentName(of: String(name.dropFirst(prefix.count)))] = text
            }
        } catch {
            throw SettingsError("cannot read the credentials in \(folder) (CREDENTIALS_DIRECTORY): \(error)")
        }
    }

    package static func files(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).map { "\(folder)/\($0)" }
    }

    private static func collect(
        _ yaml: YAML,
        at key: String,
        in values: inout [String: Value],
        _ lines: inout [String: Int]
    ) throws(YAMLError) {
        switch yaml {
        // A section of which every line is a comment is null.
        case _ where yaml.isNull: break
        case .scalar(let text, _): values[key] = .text(text)
        case .sequence(let elements):
            values[key] = .list(
                try elements.map { element throws(YAMLError) in
                    guard case .scalar(let text, _) = element else {
                        throw YAMLError("the list \(key) holds more than texts")
                    }
                    return text
                }
            )
        case .mapping(let members):
            for member in members {
                let key = key.isEmpty ? member.name : "\(key).\(member.name)"
                lines[key] = member.line
                try collect(member.value, at: key, in: &values, &lines)
            }
        }
    }

    /// - Parameter help: what its settings have in common, for the reference.
    package func section(_ name: String, @Sentences help: () -> String = { "" }) -> SettingsSection {
        self.help[name] = help()
        return SettingsSection(name: name, reader: self)
    }

    private func variable(of key: String) -> String? { given.variables[SettingsError.environmentName(of: key)] }

    /// Whether the file sets a key, and the environment does not override it.
    package func isInFileAlone(_ key: String) -> Bool {
        given.valuesInFile[key] != nil && variable(of: key) == nil
    }

    /// Whether the file sets a key, or the one that it is taken from, to an empty text, and nothing overrides it.
    func isEmptyInFile(_ key: String) -> Bool {
        if let standard = inheritedKey(of: key), !isSet(key) { return isEmptyInFile(standard) }
        guard isInFileAlone(key), case .text("") = given.valuesInFile[key] else { return false }
        return true
    }

    /// Whether the file or the environment sets a key.
    package func isSet(_ key: String) -> Bool {
        given.valuesInFile[key] != nil || variable(of: key) != nil
    }

    /// Has a section take what it does not set from another one, which describes its settings.
    func inherit(_ section: String, from standard: String) { inherited[section] = standard }

    /// The same setting in the section that this one takes it from; nil where there is none.
    func inheritedKey(of key: String) -> String? {
        inherited.first { key.hasPrefix($0.key + ".") }.map { $0.value + key.dropFirst($0.key.count) }
    }

    /// The keys below a section whose settings have names of the operator's: `KR` and `KR.sms` of `sms.routes`. They
    /// can be set in the file only.
    func keys(below section: String) -> [String] {
        given.valuesInFile.keys.filter { $0.hasPrefix(section + ".") }.map { String($0.dropFirst(section.count + 1)) }
            .sorted()
    }

    /// The text at a key, or nil if it is not set or empty.
    package func text(at key: String) -> String? {
        if let standard = inheritedKey(of: key), !isSet(key) {
            keysRead.insert(key)
            return text(at: standard)
        }
        let text = nonemptyText(at: key)
        // `keys.file`, `….auth_token_file`: what such a key names is a file.
        if let text, key.hasSuffix("file") { files.append(text) }
        return text
    }

    private func nonemptyText(at key: String) -> String? {
        keysRead.insert(key)
        if let text = variable(of: key) { return text.isEmpty ? nil : text }
        switch given.valuesInFile[key] {
        case .text(let text): return text.isEmpty ? nil : text
        case .list(let list): reject(key, list.joined(separator: ", "), wanted: "one value, not a list")
        case nil: break
        }
        return nil
    }

    /// The texts of a list, in YAML or separated by commas; nil if it is not set.
    package func texts(at key: String) -> [String]? {
        keysRead.insert(key)
        if let standard = inheritedKey(of: key), !isSet(key) { return texts(at: standard) }
        if let text = variable(of: key) {
            return text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        }
        return switch given.valuesInFile[key] {
        case .text(let text): text.split(separator: ",").map(\.trimmed)
        case .list(let texts): texts.map(\.trimmed)
        case nil: nil
        }
    }

    /// A secret: from the environment, or from the file that the key with `_file` names, without white space around it.
    /// It may not be in the file of settings, which many people see, and no error quotes it.
    ///
    /// - Parameter isNeeded: whether its file is read.
    package func secret(at key: String, isNeeded: Bool) -> String? {
        let fileKey = key + "_file"
        if let standard = inheritedKey(of: key), !isSet(key), !isSet(fileKey) {
            keysRead.formUnion([key, fileKey])
            return secret(at: standard, isNeeded: isNeeded)
        }
        let variable = SettingsError.environmentName(of: key)
        let path = text(at: fileKey)
        guard given.valuesInFile[key] == nil else {
            keysRead.insert(key)
            fail("\(key) is a secret; put it in a file of its own, name that by \(fileKey), or set \(variable)")
            return nil
        }
        if let text = text(at: key) {
            secrets[key] = text
            return text
        }
        guard isNeeded, let path else { return nil }
        do {
            let secret = String(decoding: try FilePath(path).contents(), as: UTF8.self).trimmed
            if !secret.isEmpty {
                secretFiles.append((fileKey, path))
                secrets[key] = secret
                return secret
            }
            fail("\(fileKey): \(path) is empty; write the secret into it")
        } catch {
            fail("\(fileKey): cannot read \(path): \(error); name a file that can be read, or set \(variable)")
        }
        return nil
    }

    /// The value of the first of these variables of several programs that is set and not empty, or nil. No error quotes
    /// it.
    package func shared<Value>(_ names: String..., wanted: String = "a text", _ parse: (String) -> Value? = { $0 })
        -> Value?
    {
        guard let name = names.first(where: { given.sharedVariables[$0] != nil }),
            let text = given.sharedVariables[name]
        else { return nil }
        let value = parse(text)
        if value == nil { fail("\(name) is invalid; it must be \(wanted)") }
        return value
    }

    /// Records that a value is invalid, and quotes it unless it is a secret.
    ///
    /// - Parameter near: a valid value that was probably meant.
    package func reject(_ key: String, _ value: String, wanted: String, isSecret: Bool = false, near: String? = nil) {
        let problem = isSecret ? "is invalid" : "is '\(value)'"
        let place = isInFileAlone(key) ? given.linesInFile[key].map { "line \($0), " } ?? "" : ""
        fail(
            "\(key) \(problem); it must be \(wanted) (\(place)or set \(SettingsError.environmentName(of: key)))"
                + (near.map { "; did you mean \($0)?" } ?? "")
        )
    }

    package func fail(_ error: String) { errors.append(error) }

    /// Records that a setting is missing. One that is set has an invalid value, which has been reported.
    package func failMissing(_ key: String, _ error: String) {
        if isSet(key) || isSet(key + "_file") { failTogether(error) } else { fail(error) }
    }

    /// Records that settings do not fit together. It is not reported beside invalid values, which may be its cause.
    package func failTogether(_ error: String) { dependentErrors.append(error) }

    /// Records that settings do not fit together if what they give is nil.
    package func together<Value>(_ value: Value?, _ error: String) -> Value? {
        if value == nil { failTogether(error) }
        return value
    }

    /// - Throws: all errors, and whatever the file or the environment sets that is no setting.
    package func finish() throws(SettingsError) {
        let nearest = NearestSetting(descriptions, keysRead: keysRead, sections: help.keys)
        let known = Set(keysRead.map(SettingsError.environmentName)).union(Self.variablesOfOthers)
        for name in Set(given.variables.keys).subtracting(known).sorted() where !isSetByKubernetes(name) {
            let hint = nearest.variable(near: name).map { "did you mean \($0)?" }
            fail("\(name) is not a setting; \(hint ?? "unset it, or look up its name in config/reference.yaml")")
        }
        for key in Set(given.valuesInFile.keys).subtracting(keysRead).sorted() {
            let hint = nearest.hint(for: unknown(key)) ?? "remove it, or see config/reference.yaml"
            let line = given.linesInFile[key].map { ", line \($0)" } ?? ""
            fail("\(given.fileName ?? "the file")\(line): there is no setting \(key); \(hint)")
        }
        let all = errors.isEmpty ? dependentErrors : errors
        if !all.isEmpty { throw SettingsError(lines: all) }
    }

    private func unknown(_ key: String) -> NearestSetting.Unknown {
        var text: String?
        if case .text(let value)? = given.valuesInFile[key] { text = value }
        let line = given.linesInFile[key] ?? 0
        let above = given.linesInFile.filter { $0.value < line && given.valuesInFile[$0.key] == nil }
        return NearestSetting.Unknown(
            key: key,
            text: text,
            sectionsAbove: above.sorted { $0.value > $1.value }.map(\.key)
        )
    }

    /// What commands that call a service read, and the scripts beside the program.
    private static let variablesOfOthers: Set = [
        "PHONEPROOF_API_KEY", "PHONEPROOF_BUILD", "PHONEPROOF_SWIFT_HOME", "PHONEPROOF_SWIFT_URL",
        "PHONEPROOF_SWIFT_KEYS_URL",
        "PHONEPROOF_TEST_POSTGRESQL",
    ]

    /// Kubernetes sets such variables in every container beside a service named phoneproof
    /// (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
    private func isSetByKubernetes(_ name: String) -> Bool {
        guard given.isInKubernetes else { return false }
        return name.hasPrefix("PHONEPROOF_SERVICE_") || name == "PHONEPROOF_PORT" || name.hasPrefix("PHONEPROOF_PORT_")
    }
}

extension SettingsReader.Given {
    /// Has what is set under an old name be set under the new one.
    ///
    /// - Returns: why that cannot be.
    fileprivate mutating func rename(_ old: String, to new: String) -> [String] {
        var errors: [String] = []
        // A section's settings, and the file of a secret.
        func newName(of name: String, _ old: String, _ new: String, _ separator: String, _ file: String) -> String? {
            let isMeant = name == old || name == old + file || name.hasPrefix(old + separator)
            return isMeant ? new + name.dropFirst(old.count) : nil
        }
        for (name, line) in linesInFile.sorted(by: { $0.key < $1.key }) {
            guard let meant = newName(of: name, old, new, ".", "_file") else { continue }
            linesInFile[name] = nil
            linesInFile[meant] = linesInFile[meant] ?? line
            guard let value = valuesInFile.removeValue(forKey: name) else { continue }
            let isTaken = valuesInFile[meant] != nil || variables[SettingsError.environmentName(of: meant)] != nil
            if isTaken { errors.append("\(name) is the old name of \(meant), and both are set; remove \(name)") }
            valuesInFile[meant] = valuesInFile[meant] ?? value
            oldNames.append("\(name) is the old name of \(meant); rename it in line \(line) (\(meant))")
        }
        let names = (old: SettingsError.environmentName(of: old), new: SettingsError.environmentName(of: new))
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            guard let meant = newName(of: name, names.old, names.new, "_", "_FILE") else { continue }
            variables[name] = nil
            let isTaken =
                variables[meant] != nil
                || valuesInFile.keys.contains { SettingsError.environmentName(of: $0) == meant }
            if isTaken { errors.append("\(name) is the old name of \(meant), and both are set; unset \(name)") }
            variables[meant] = variables[meant] ?? value
            oldNames.append("\(name) is the old name of \(meant); rename it (\(new))")
        }
        return errors
    }

    /// What differs from these settings, which are in force.
    func change(from running: SettingsReader.Given) -> SettingsReload {
        let keys = Set(readings.keys).union(running.readings.keys).filter { readings[$0] != running.readings[$0] }
        return SettingsReload(
            changed: keys.filter { !SettingsReader.needsRestart($0) }.sorted(),
            needingRestart: keys.filter(SettingsReader.needsRestart).sorted()
        )
    }
}

/// Settings that are missing, unknown or invalid: a line for each, which says what to do.
package struct SettingsError: Error, CustomStringConvertible {
    package let lines: [String]

    package init(lines: [String]) { self.lines = lines }

    package init(_ line: String) { lines = [line] }

    package var description: String { lines.joined(separator: "\n") }

    /// The environment variable that overrides a key: `server.port` is `PHONEPROOF_SERVER_PORT`.
    package static func environmentName(of key: String) -> String {
        "PHONEPROOF_" + String(key.map { ".-".contains($0) ? "_" : $0 }).uppercased()
    }
}

extension String {
    /// What is before and after the first `=`; nil without one.
    package var pair: (String, String)? {
        firstIndex(of: "=").map { (String(self[..<$0]), String(self[index(after: $0)...])) }
    }
}

extension StringProtocol {
    package var trimmed: String {
        let start = unicodeScalars.drop(while: \.properties.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(String.UnicodeScalarView(start[...last]))
    }
}

extension FilePath {
    /// More than any file that is read as a whole: settings, secrets, certificates.
    private static let mostBytes = 10_000_000

    package func contents() throws -> [UInt8] {
        let descriptor = try FileDescriptor.open(self, .readOnly)
        return try descriptor.closeAfter {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = try chunk.withUnsafeMutableBytes { try descriptor.read(into: $0) }
                guard count > 0 else { return bytes }
                bytes.append(contentsOf: chunk.prefix(count))
                guard bytes.count <= Self.mostBytes else { throw Errno.fileTooLarge }
            }
        }
    }
}
