/// A form that somebody posted, with the signature that came with it. Neither is to be believed before the signature was
/// checked. It may bear a number, so it prints no field.
public struct SignedForm: Sendable {
    /// A field of the form.
    public struct Field: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: String

        /// A field of these parts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields as they came, those of the same name one by one.
    public let fields: [Field]
    /// The signature as it came.
    public let signature: String

    /// A form of these parts.
    public init(fields: [Field], signature: String) {
        self.fields = fields
        self.signature = signature
    }

    /// The first value of this name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension SignedForm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of fields.
    public var description: String { "SignedForm(\(fields.count) fields)" }

    /// What ``description`` tells.
    public var debugDescription: String { description }

    /// What ``description`` tells, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["fields": fields.count]) }
}
