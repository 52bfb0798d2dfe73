package import CoreEncodings

/// What a setting is for, in lines that are joined by spaces.
@resultBuilder
package enum Sentences {
    package static func buildBlock(_ lines: String...) -> String { lines.joined(separator: " ") }
}

/// Settings whose keys begin alike.
package struct SettingsSection {
    package let name: String
    package let reader: SettingsReader

    /// One of its settings; the method that is called on it reads the value, and names the type, the default, the
    /// range and what it is for.
    package func callAsFunction(_ name: String) -> Setting { Setting(key: "\(self.name).\(name)", reader: reader) }
}

/// A setting. Each method of it reads the value, describes the setting for the reference, and gives
/// the default if the setting is not set or invalid; the reader then keeps the error.
package struct Setting {
    package let key: String
    package let reader: SettingsReader

    /// What the reference shows.
    struct Description {
        let key: String
        let help: String
        /// What values are valid; nil for any text.
        let range: String?
        /// The value in YAML.
        let value: String
        /// Whether the value is an example, since there is no default.
        let isExample: Bool
        /// Whether the value is the path of a file with a secret.
        let isSecret: Bool
    }

    package func text(_ standard: String, @Sentences help: () -> String) -> String {
        describe(nil, standard, help)
        return reader.text(at: key) ?? standard
    }

    /// - Parameter gateway: the gateway in use that needs it.
    package func text(
        example: String,
        for gateway: Settings.Gateway? = nil,
        @Sentences help: () -> String
    ) -> String? {
        describe(nil, example, isExample: true, help)
        return needed(reader.text(at: key), for: gateway)
    }

    /// What a server is to listen at (``Settings/listeningHost(_:)``).
    package func host(_ standard: String, @Sentences help: () -> String) -> String {
        value(standard, Settings.listeningHostForm, Settings.listeningHost, help: help)
    }

    package func integer(_ standard: Int, in range: ClosedRange<Int>, @Sentences help: () -> String) -> Int {
        value(standard, Self.form(range), { Self.integer($0, in: range) }, help: help)
    }

    package func integer(example: Int, in range: ClosedRange<Int>, @Sentences help: () -> String) -> Int? {
        value(example: "\(example)", Self.form(range), { Self.integer($0, in: range) }, help: help)
    }

    package static func integer(_ text: String, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func form(_ range: ClosedRange<Int>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    package func duration(
        _ standard: Duration,
        of unit: Duration = .seconds(1),
        in range: ClosedRange<Int>,
        @Sentences help: () -> String
    ) -> Duration { unit * integer(Int(standard / unit), in: range, help: help) }

    package func set(_ value: inout Int, in range: ClosedRange<Int>, @Sentences help: () -> String) {
        value = integer(value, in: range, help: help)
    }

    package func set(
        _ value: inout Duration,
        of unit: Duration = .seconds(1),
        in range: ClosedRange<Int>,
        @Sentences help: () -> String
    ) { value = duration(value, of: unit, in: range, help: help) }

    /// - Returns: nil for 0, which means never.
    package func duration(
        orNever standard: Duration?,
        of unit: Duration,
        in range: ClosedRange<Int>,
        @Sentences help: () -> String
    ) -> Duration? {
        let duration = duration(standard ?? .zero, of: unit, in: range, help: help)
        return duration == .zero ? nil : duration
    }

    package func flag(_ standard: Bool, @Sentences help: () -> String) -> Bool {
        value(standard, "true or false", { ["true": true, "false": false][$0] }, help: help)
    }

    package func choice<Value: RawRepresentable & CaseIterable>(
        _ standard: Value,
        @Sentences help: () -> String
    ) -> Value where Value.RawValue == String {
        let names = Value.allCases.map(\.rawValue)
        let wanted = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        return value(standard, wanted, shown: standard.rawValue, Value.init, help: help)
    }

    package static let addressForm = "an http or https URL without a query"

    /// The URL of a vendor's API.
    package func address(_ standard: String, @Sentences help: () -> String) -> EndpointURL? {
        let parse = { (text: String) in EndpointURL(base: text).map(Optional.some) }
        return value(EndpointURL(base: standard), Self.addressForm, shown: standard, parse, help: help)
    }

    /// Where something is posted to. The query may contain a secret.
    package func endpoint(example: String, @Sentences help: () -> String) -> EndpointURL? {
        let wanted = "an http or https URL without a user or a fragment"
        return value(example: example, wanted, isSecret: true, EndpointURL.init(_:), help: help)
    }

    /// - Parameters:
    ///   - wanted: what values are valid; an error says that it must be this.
    ///   - shown: the default in YAML, if that is not its description.
    ///   - near: returns a valid value that an invalid one was probably meant to be.
    package func value<Value>(
        _ standard: Value,
        _ wanted: String,
        shown: String? = nil,
        near: (String) -> String? = { _ in nil },
        _ parse: (String) -> Value?,
        @Sentences help: () -> String
    ) -> Value {
        describe(wanted, shown ?? "\(standard)", help)
        return parsed(wanted, isSecret: false, near: near, parse) ?? standard
    }

    /// Describes, in the reference, a key of the operator's own choice. ``SettingsReader/keys(below:)`` reads those.
    func example(_ value: String) { describe(nil, value, isExample: true) { "" } }

    /// A setting without a default.
    package func value<Value>(
        example: String,
        _ wanted: String,
        for gateway: Settings.Gateway? = nil,
        isSecret: Bool = false,
        near: (String) -> String? = { _ in nil },
        _ parse: (String) -> Value?,
        @Sentences help: () -> String
    ) -> Value? {
        describe(wanted, example, isExample: true, help)
        return needed(parsed(wanted, isSecret: isSecret, near: near, parse), for: gateway)
    }

    /// A list, which in the environment is separated by commas.
    ///
    /// - Parameter least: what it must have at least, if it may not be empty.
    package func list<Element>(
        _ standard: [Element],
        example: String? = nil,
        _ wanted: String,
        orElse least: String? = nil,
        isSecret: Bool = false,
        shown: (Element) -> String = { "\($0)" },
        near: (String) -> String? = { _ in nil },
        _ parse: (String) -> Element?,
        @Sentences help: () -> String
    ) -> [Element] {
        let value = example ?? "[\(standard.map(shown).joined(separator: ", "))]"
        describe(wanted, value, isExample: example != nil, help)
        guard let texts = reader.texts(at: key) else { return standard }
        let elements = texts.map { ($0, parse($0)) }
        let invalid = elements.first { $1 == nil }?.0
        if let invalid {
            reader.reject(key, invalid, wanted: wanted, isSecret: isSecret, near: near(invalid))
        } else if let least, elements.isEmpty {
            reader.reject(key, "", wanted: least)
        } else {
            return elements.compactMap(\.1)
        }
        return standard
    }

    /// How long to wait before each further message.
    package func cooldowns(_ standard: [Duration], @Sentences help: () -> String) -> [Duration] {
        list(
            standard,
            "whole numbers from 0 to 3600",
            orElse: "one number or more",
            shown: { "\($0.components.seconds)" },
            { Self.integer($0, in: 0...3600).map { .seconds($0) } },
            help: help
        )
    }

    /// A secret, in a file of its own or in the environment.
    package func secret(example path: String, isNeeded: Bool, @Sentences help: () -> String) -> String? {
        describe(nil, path, isExample: true, isSecret: true, help)
        return reader.secret(at: key, isNeeded: isNeeded)
    }

    package func secret(
        example path: String,
        for gateway: Settings.Gateway?,
        @Sentences help: () -> String
    ) -> String? {
        let secret = secret(example: path, isNeeded: gateway != nil, help: help)
        if secret == nil, let gateway { failWithoutSecret(for: gateway) }
        return secret
    }

    func failWithoutSecret(for gateway: Settings.Gateway) {
        let needed = "a secret: name its file by \(key)_file, or set \(variable)"
        reader.failMissing(key, "sms.gateway names \(gateway), which needs \(needed)")
    }

    package var variable: String { SettingsError.environmentName(of: key) }

    private func needed<Value>(_ value: Value?, for gateway: Settings.Gateway?) -> Value? {
        if value == nil, let gateway {
            reader.failMissing(key, "sms.gateway names \(gateway), which needs \(key) (or set \(variable))")
        }
        return value
    }

    private func parsed<Value>(
        _ wanted: String,
        isSecret: Bool,
        near: (String) -> String?,
        _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = reader.text(at: key) else { return nil }
        let value = parse(text)
        if value == nil { reader.reject(key, text, wanted: wanted, isSecret: isSecret, near: near(text)) }
        return value
    }

    private func describe(
        _ wanted: String?,
        _ value: String,
        isExample: Bool = false,
        isSecret: Bool = false,
        _ help: () -> String
    ) {
        if reader.inheritedKey(of: key) != nil { return }
        reader.descriptions.append(
            Description(
                key: key,
                help: help(),
                range: wanted,
                value: value,
                isExample: isExample,
                isSecret: isSecret
            )
        )
    }
}

extension SettingsReader {
    /// The settings of a gateway: its own section, or that of its kind.
    func section(
        of kind: Settings.Gateway.Kind,
        _ gateway: Settings.Gateway?,
        @Sentences help: () -> String = { "" }
    ) -> SettingsSection { section(gateway?.section ?? Settings.Gateway(kind).section, help: help) }

    /// Every setting with its default, as `config/reference.yaml` has it.
    package var reference: String {
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
            lines += setting.lines(depth: sections.count)
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
    fileprivate func lines(depth: Int) -> [String] {
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
