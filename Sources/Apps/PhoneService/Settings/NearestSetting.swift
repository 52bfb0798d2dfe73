import PhoneDomain

/// What somebody probably meant by a name that is no setting.
struct NearestSetting {
    /// A key of the file that is no setting.
    struct Unknown {
        let key: String
        /// The value, if it is one text.
        let text: String?
        /// The sections that begin above it in the file, the nearest first.
        let sectionsAbove: [String]
    }

    /// The settings as the file has them, in the order of the reference.
    private let keys: [String]
    private let secrets: Set<String>
    private let sections: Set<String>
    private let descriptions: [Setting.Description]

    init(_ descriptions: [Setting.Description], keysRead: Set<String>, sections: some Sequence<String>) {
        secrets = Set(descriptions.filter(\.isSecret).map(\.key))
        let described = descriptions.map { $0.isSecret ? $0.key + "_file" : $0.key }.filter(keysRead.contains)
        keys = described + keysRead.subtracting(described).subtracting(secrets).sorted()
        self.sections = keys.reduce(into: Set(sections)) { sections, key in
            var section = key[...]
            while let dot = section.lastIndex(of: ".") {
                section = section[..<dot]
                sections.insert(String(section))
            }
        }
        self.descriptions = descriptions
    }

    /// What to write instead of a key of the file.
    func hint(for unknown: Unknown) -> String? {
        if sections.contains(unknown.key) {
            let meant = Self.nearest(to: unknown.key, among: keys) ?? setting(in: unknown.key, for: unknown.text)
            return "it is a section" + (meant.map { "; did you mean \($0)?" } ?? "")
        }
        return (Self.nearest(to: unknown.key, among: keys) ?? elsewhere(unknown)).map { "did you mean \($0)?" }
    }

    /// The variable that was probably meant by another one.
    func variable(near name: String) -> String? {
        let names = (keys + secrets.sorted()).map(SettingsError.environmentName)
        // Without the section: PHONEPROOF_PORT.
        return Self.nearest(to: name, among: names) ?? names.first { $0.hasSuffix(name.trimmingPrefix("PHONEPROOF")) }
    }

    /// The one with the fewest typing errors, whatever its case; of several the first.
    package static func nearest(to key: String, among keys: [String]) -> String? {
        let text = key.lowercased()
        let most = max(2, text.count / 5)
        return keys.lazy.map { (key: $0, distance: text.distance(to: $0.lowercased(), atMost: most)) }
            .filter { $0.distance <= most }
            .min { $0.distance < $1.distance }?.key
    }

    /// A setting of that name in another section: that above it if its indentation was lost, else the one that is spelt
    /// most alike.
    private func elsewhere(_ unknown: Unknown) -> String? {
        let name = unknown.key.split(separator: ".").last ?? ""
        let indented = unknown.sectionsAbove.lazy.map { "\($0).\(name)" }
        if let lost = indented.first(where: { isIndentationLost($0, unknown.key) && keys.contains($0) }) { return lost }
        let alike = keys.filter { $0.split(separator: ".").last == name }
        return alike.first { $0.hasSuffix("." + unknown.key) }
            ?? alike.min { $0.distance(to: unknown.key) < $1.distance(to: unknown.key) }
    }

    /// Whether the key is within the section that the unknown one is in.
    private func isIndentationLost(_ key: String, _ unknown: String) -> Bool {
        guard let dot = unknown.lastIndex(of: ".") else { return true }
        return key.hasPrefix(unknown[...dot])
    }

    /// The first setting of a section that can have this value.
    private func setting(in section: String, for text: String?) -> String? {
        let settings = descriptions.filter { $0.key.hasPrefix(section + ".") && !$0.isSecret && keys.contains($0.key) }
        guard let text else { return settings.first?.key }
        return settings.first { $0.takes(text) }?.key
    }
}

extension Setting.Description {
    /// Whether a value is of the kind that this setting has: a number, true or false, or a text.
    fileprivate func takes(_ text: String) -> Bool {
        if let ends = range?.wholeMatch(of: /a whole number from (\d+) to (\d+)/), let lowest = Int(ends.1),
            let highest = Int(ends.2)
        {
            return Setting.integer(text, in: lowest...highest) != nil
        }
        let isFlag = ["true", "false"].contains(text)
        return (range == "true or false") == isFlag && Int(text) == nil
    }
}

extension Settings {
    /// What is often written for a region: the code of something else.
    private static let regionsMeant = ["UK": "GB", "EN": "GB", "KO": "KR", "JA": "JP", "USA": "US", "KOR": "KR"]

    /// The region that somebody probably meant by a text that is none.
    package static func region(near text: String) -> String? { regionsMeant[text.uppercased()] }
}

extension String {
    /// How many characters to insert, delete, replace or swap with the next one (optimal string alignment).
    ///
    /// - Parameter most: a greater distance need not be exact.
    package func distance(to other: String, atMost most: Int = .max) -> Int {
        let (one, other) = (Array(self), Array(other))
        guard abs(one.count - other.count) <= most else { return abs(one.count - other.count) }
        var rows = [Array(0...other.count)]
        for (i, character) in one.enumerated() {
            var row = [i + 1]
            for (j, target) in other.enumerated() {
                var least = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (character == target ? 0 : 1))
                if i > 0, j > 0, character == other[j - 1], one[i - 1] == target {
                    least = Swift.min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
