import PhoneDelivery
import TextEncodings

/// Settings whose keys begin alike.
struct SettingsSection {
    let name: String
    let reader: SettingsReader

    /// One of its settings; the method that is called on it reads the value, and names the type, the default and the
    /// range.
    func callAsFunction(_ name: String) -> Setting { Setting(key: "\(self.name).\(name)", reader: reader) }
}

/// A setting. Each method of it reads the value, describes the setting for the reference, and gives
/// the default if the setting is not set or invalid; the reader then keeps the error.
struct Setting {
    let key: String
    let reader: SettingsReader

    /// What the reference shows, besides ``SettingsHelp``.
    struct Description {
        let key: String
        /// What values are valid; nil for any text.
        let range: String?
        /// In YAML.
        let value: String
        /// Whether the value is an example, since there is no default.
        let isExample: Bool
        /// Whether the value is the path of a file with a secret.
        let isSecret: Bool
    }

    func text(_ standard: String) -> String {
        describe(nil, standard)
        return reader.text(at: key) ?? standard
    }

    /// - Parameter gateway: the gateway in use that needs it.
    func text(example: String, for gateway: Settings.Gateway? = nil) -> String? {
        describe(nil, example, isExample: true)
        return needed(reader.text(at: key), for: gateway)
    }

    func integer(_ standard: Int, in range: ClosedRange<Int>) -> Int {
        value(standard, Self.form(range)) { Self.integer($0, in: range) }
    }

    func integer(example: Int, in range: ClosedRange<Int>) -> Int? {
        value(example: "\(example)", Self.form(range)) { Self.integer($0, in: range) }
    }

    static func integer(_ text: String, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func form(_ range: ClosedRange<Int>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    func duration(_ standard: Duration, of unit: Duration = .seconds(1), in range: ClosedRange<Int>) -> Duration {
        unit * integer(Int(standard / unit), in: range)
    }

    func set(_ value: inout Int, in range: ClosedRange<Int>) { value = integer(value, in: range) }

    func set(_ value: inout Duration, of unit: Duration = .seconds(1), in range: ClosedRange<Int>) {
        value = duration(value, of: unit, in: range)
    }

    /// - Returns: nil for 0, which means never.
    func duration(orNever standard: Duration?, of unit: Duration, in range: ClosedRange<Int>) -> Duration? {
        let duration = duration(standard ?? .zero, of: unit, in: range)
        return duration == .zero ? nil : duration
    }

    func flag(_ standard: Bool) -> Bool {
        value(standard, "true or false") { ["true": true, "false": false][$0] }
    }

    func choice<Value: RawRepresentable & CaseIterable>(_ standard: Value) -> Value where Value.RawValue == String {
        let names = Value.allCases.map(\.rawValue)
        let wanted = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        return value(standard, wanted, shown: standard.rawValue, Value.init)
    }

    static let addressForm = "an http or https URL without a query"

    /// The URL of a vendor's API.
    func address(_ standard: String) -> EndpointURL? {
        value(EndpointURL(base: standard), Self.addressForm, shown: standard) {
            EndpointURL(base: $0).map(Optional.some)
        }
    }

    /// Where something is posted to. The query may contain a secret.
    func endpoint(example: String, for gateway: Settings.Gateway? = nil) -> EndpointURL? {
        let wanted = "an http or https URL without a user or a fragment"
        return value(example: example, wanted, for: gateway, isSecret: true, EndpointURL.init(_:))
    }

    /// - Parameters:
    ///   - wanted: what values are valid; an error says that it must be this.
    ///   - shown: the default in YAML, if that is not its description.
    func value<Value>(_ standard: Value, _ wanted: String, shown: String? = nil, _ parse: (String) -> Value?) -> Value {
        describe(wanted, shown ?? "\(standard)")
        return parsed(wanted, isSecret: false, parse) ?? standard
    }

    /// A setting without a default.
    func value<Value>(
        example: String,
        _ wanted: String,
        for gateway: Settings.Gateway? = nil,
        isSecret: Bool = false,
        _ parse: (String) -> Value?
    ) -> Value? {
        describe(wanted, example, isExample: true)
        return needed(parsed(wanted, isSecret: isSecret, parse), for: gateway)
    }

    /// A list, which in the environment is separated by commas.
    func list<Element>(
        _ standard: [Element],
        example: String? = nil,
        _ wanted: String,
        isSecret: Bool = false,
        shown: (Element) -> String = { "\($0)" },
        _ parse: (String) -> Element?
    ) -> [Element] {
        describe(wanted, example ?? "[\(standard.map(shown).joined(separator: ", "))]", isExample: example != nil)
        guard let texts = reader.texts(at: key) else { return standard }
        let elements = texts.map { ($0, parse($0)) }
        if let (invalid, _) = elements.first(where: { $1 == nil }) {
            reader.reject(key, invalid, wanted: wanted, isSecret: isSecret)
            return standard
        }
        return elements.compactMap(\.1)
    }

    func list<Element>(
        nonempty standard: [Element],
        _ wanted: String,
        orElse least: String,
        shown: (Element) -> String = { "\($0)" },
        _ parse: (String) -> Element?
    ) -> [Element] {
        let elements = list(standard, wanted, shown: shown, parse)
        if !elements.isEmpty { return elements }
        reader.reject(key, "", wanted: least)
        return standard
    }

    /// A secret, in a file of its own or in the environment.
    func secret(example path: String, isNeeded: Bool) -> String? {
        describe(nil, path, isExample: true, isSecret: true)
        return reader.secret(at: key, isNeeded: isNeeded)
    }

    func secret(example path: String, for gateway: Settings.Gateway?) -> String? {
        let secret = secret(example: path, isNeeded: gateway != nil)
        if secret == nil, let gateway { failWithoutSecret(for: gateway) }
        return secret
    }

    func failWithoutSecret(for gateway: Settings.Gateway) {
        let needed = "a secret: name its file by \(key)_file, or set \(variable)"
        reader.failMissing(key, "sms.gateway names \(gateway.rawValue), which needs \(needed)")
    }

    var variable: String { SettingsError.environmentName(of: key) }

    private func needed<Value>(_ value: Value?, for gateway: Settings.Gateway?) -> Value? {
        if value == nil, let gateway {
            reader.failMissing(key, "sms.gateway names \(gateway.rawValue), which needs \(key) (or set \(variable))")
        }
        return value
    }

    private func parsed<Value>(_ wanted: String, isSecret: Bool, _ parse: (String) -> Value?) -> Value? {
        guard let text = reader.text(at: key) else { return nil }
        let value = parse(text)
        if value == nil { reader.reject(key, text, wanted: wanted, isSecret: isSecret) }
        return value
    }

    private func describe(_ wanted: String?, _ value: String, isExample: Bool = false, isSecret: Bool = false) {
        let description = Description(key: key, range: wanted, value: value, isExample: isExample, isSecret: isSecret)
        reader.descriptions.append(description)
    }
}

extension SettingsReader {
    /// Every setting with its default, as `config/reference.yaml` has it.
    var reference: String {
        var lines = [
            "# Every setting of PhoneProof with its default and range, as `phoneproof check-config --reference` prints it.",
            "#",
            "# Put the settings that you change into your own file, without the #. An environment variable overrides the file:",
            "# PHONEPROOF_SERVER_PORT is server.port, and items of a list are separated by commas. So does a systemd credential:",
            "# phoneproof_server.port. A command-line flag overrides all. Unknown keys and variables are errors. Paths are",
            "# relative to the working directory.",
        ]
        var open: [Substring] = []
        for setting in descriptions {
            let sections = Array(setting.key.split(separator: ".").dropLast())
            for depth in sections.indices where !open.starts(with: sections[...depth]) {
                if depth == 0 { lines.append("") }
                let help = help[sections[...depth].joined(separator: ".")] ?? ""
                lines += Self.comment(help, depth: depth)
                lines.append(String(repeating: "  ", count: depth) + sections[depth] + ":")
            }
            if sections.isEmpty { lines.append("") }
            open = sections
            lines += setting.lines(help[setting.key] ?? "", depth: sections.count)
        }
        return lines.joined(separator: "\n")
    }

    /// Lines of at most 118 columns.
    fileprivate static func comment(_ text: String, depth: Int) -> [String] {
        let start = String(repeating: "  ", count: depth) + "#"
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < 118 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(start + " " + word)
            }
        }
        return lines
    }
}

extension Setting.Description {
    fileprivate func lines(_ help: String, depth: Int) -> [String] {
        var help = help
        if let range, range != "true or false" {
            let isNumber = range.hasPrefix("a whole number")
            help += isNumber ? " Range: \(range.trimmingPrefix("a whole number from "))." : " Must be \(range)."
        }
        if isSecret { help += " The file contains only this; or set \(SettingsError.environmentName(of: key))." }
        let note = isExample ? SettingsReader.comment("Not set by default; for example:", depth: depth) : []
        let name = (key.split(separator: ".").last ?? "") + (isSecret ? "_file" : "")
        return SettingsReader.comment(help, depth: depth) + note
            + [String(repeating: "  ", count: depth) + "#\(name): \(value)"]
    }
}
