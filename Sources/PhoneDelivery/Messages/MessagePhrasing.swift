/// A text, and what is filled into it besides a code or a secret: all that a wording comes to.
struct MessagePhrasing: Sendable {
    let template: MessageTemplate
    let context: MessageContext
    /// The values of the template's own variables. Where one is missing, nothing stands in its place.
    var values: [String: SubstitutionValue] = [:]
    /// Whether a warning against telling the code is wanted.
    var warns = false

    /// The text of a code's message, with the lines for autofill.
    func body(code: String, minutes: Int) -> String {
        let text = template.text { variable in
            switch variable {
            case .code: code
            case .minutes: String(minutes)
            case .service, .link, .own: value(of: variable)
            }
        }
        return (text + lowerLines(code: code)).joined(separator: "\n")
    }

    /// The text of a notice. It has no lines for autofill: there is nothing to fill in.
    func body(link: String) -> String {
        template.text { $0 == .link ? link : value(of: $0) }.joined(separator: "\n")
    }

    /// How long the longest message is, with a code, minutes or a link of these lengths.
    func length(code: String, minutes: String, link: String) -> TextLength {
        var length = template.fixedLength
        for variable in template.variables {
            switch variable {
            case .code: length += TextLength(of: code)
            case .minutes: length += TextLength(of: minutes)
            case .link: length += TextLength(of: link)
            case .service, .own: length += TextLength(of: value(of: variable))
            }
        }
        if template.kind == .verification {
            for line in lowerLines(code: code) {
                length += .lineBreak
                length += TextLength(of: line)
            }
        }
        return length
    }

    /// What the sender is called in it.
    var service: ServiceName { context.service(in: template.locale) }

    private func value(of variable: TemplateVariable) -> String {
        switch variable {
        case .service: service.description
        case .own(let name): values[name]?.description ?? ""
        case .code, .minutes, .link: ""
        }
    }

    private func lowerLines(code: String) -> [String] {
        (warns ? [template.warning].compactMap(\.self) : []) + context.autofillLines(code: code)
    }
}
