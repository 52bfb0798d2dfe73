/// What a message is for: each kind has a text of its own in every language.
enum MessageKind: Sendable, CaseIterable {
    /// It bears a code.
    case verification
    /// It tells the old number of an account that the number was changed, with a link that undoes it.
    case numberChange

    /// The name of its file in the directory of a locale.
    var fileName: String {
        switch self {
        case .verification: "verification.txt"
        case .numberChange: "number-changed.txt"
        }
    }

    /// The text that each locale has unless a directory brings its own.
    var builtInTexts: [String: String] {
        switch self {
        case .verification: BuiltInMessages.verification
        case .numberChange: BuiltInMessages.numberChange
        }
    }

    /// What its text may have.
    var variables: [TemplateVariable] {
        switch self {
        case .verification: [.code, .service, .minutes]
        case .numberChange: [.service, .link]
        }
    }

    /// What its text must have: without it nobody could do anything with the message.
    var requiredVariable: TemplateVariable {
        switch self {
        case .verification: .code
        case .numberChange: .link
        }
    }
}
