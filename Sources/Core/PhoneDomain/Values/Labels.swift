import PhoneNumbers

/// A client's own words for a verification or a signup, by which it finds it again. They mean nothing here, are stored as
/// written, and go with the number when that is erased.
public struct Labels: Hashable, Sendable {
    public let reference: Reference?
    /// Nil for none.
    public let tags: Tags?
    public static let none = Labels()
    private static let noNumber = "without an international phone number (+82 10...)"

    public init(reference: Reference? = nil, tags: Tags? = nil) { (self.reference, self.tags) = (reference, tags) }

    public var isEmpty: Bool { reference == nil && tags == nil }

    /// Such as the number of an order: one line of 1 to 64 characters.
    public struct Reference: Hashable, Sendable, LosslessStringConvertible {
        private static let longest = 64
        public static let requirement = "must be one line of 1 to \(longest) characters \(noNumber)"
        public let description: String

        public init?(_ description: String) {
            guard description.isLabel(of: Self.longest) else { return nil }
            self.description = description
        }
    }

    /// Values by key, such as `spring` by `campaign`: at least one, in the order of their keys.
    public struct Tags: Hashable, Sendable {
        public static let most = 8
        public static let requirement =
            "must be an object of at most \(most) strings, each one line of 1 to 64 characters \(noNumber); names are 1 to 32 letters, "
            + "digits and - . _"
        public let all: [Tag]

        /// Nil unless there are 1 to ``most``. Of several of one key the last counts.
        public init?(_ tags: [Tag]) {
            guard 1...Self.most ~= tags.count else { return nil }
            all = Dictionary(tags.map { ($0.key, $0) }) { $1 }.values.sorted { $0.key < $1.key }
        }
    }

    /// Its text is `key:value`.
    public struct Tag: Hashable, Sendable {
        /// 1 to 32 letters, digits and `-._`.
        public let key: String
        /// One line of 1 to 64 characters.
        public let value: String

        public init?(_ key: String, _ value: String) {
            guard 1...32 ~= key.utf8.count, value.isLabel(of: 64),
                key.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-._".utf8.contains($0) })
            else { return nil }
            (self.key, self.value) = (key, value)
        }
    }
}

extension Labels.Tag: LosslessStringConvertible {
    public var description: String { key + ":" + value }

    public init?(_ description: String) {
        guard let tag = Self(stored: description) else { return nil }
        self.init(tag.key, tag.value)
    }

    /// Nil without a colon.
    fileprivate init?(stored description: String) {
        // By bytes: a combining mark may follow the colon.
        let name = description.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard name.endIndex < description.utf8.endIndex else { return nil }
        key = String(Substring(name))
        value = String(Substring(description.utf8[name.endIndex...].dropFirst()))
    }
}

extension Labels.Tags: LosslessStringConvertible {
    /// A line for each, as it is stored: no line is part of another.
    public var description: String { all.map(\.description).joined(separator: "\n") }

    public init?(_ description: String) {
        let lines = description.utf8.split(separator: UInt8(ascii: "\n"))
        let tags = lines.compactMap { Labels.Tag(String(Substring($0))) }
        guard tags.count == lines.count else { return nil }
        self.init(tags)
    }
}

// As they are stored: they were judged when they were written. What is a number changes with the plans, and a record must
// stay readable.

extension Labels.Reference {
    package init(stored description: String) { self.description = description }
}

extension Labels.Tags {
    /// Nil if a line is no tag.
    package init?(stored description: String) {
        let lines = description.utf8.split(separator: UInt8(ascii: "\n"))
        all = lines.compactMap { Labels.Tag(stored: String(Substring($0))) }
        guard all.count == lines.count else { return nil }
    }
}

extension String {
    /// A line without a full phone number, which would stay here when its owner has it erased. One begins with a plus
    /// sign: the number of an order may read like one of some country.
    fileprivate func isLabel(of longest: Int) -> Bool {
        guard isLine(of: longest) else { return false }
        // What is not seen is not between digits either.
        let scalars = unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }.map { $0 }
        let elements = scalars.map { PhoneTextElement($0) }
        for start in scalars.indices where elements[start] == .plus {
            for end in scalars.indices.dropFirst(start + 1) {
                if elements[end] == .foreign || elements[end] == .plus { break }
                // Whatever digits come behind it.
                guard case .digit = elements[end] else { continue }
                let text = String(String.UnicodeScalarView(scalars[start...end]))
                if (try? PhoneNumber(parsing: text, region: .korea)) != nil { return false }
            }
        }
        return !scalars.isEmpty
    }

    /// Whether it has 1 to `longest` characters, of which one is no space and none a control or format character.
    func isLine(of longest: Int) -> Bool {
        // UTF-8 has four bytes at most for a character.
        utf8.count <= 4 * longest && unicodeScalars.count <= longest && contains { !$0.isWhitespace }
            && unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                // Fillers and the like, which are as invisible; an emoji may have a variation selector.
                default: !scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isVariationSelector
                }
            }
    }
}
