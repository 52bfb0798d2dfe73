import PhoneDelivery
import PhoneDomain
package import Texts
import YAML

extension TextsFile {
    /// The texts for pages that an operator has written: `<language>/texts.yaml` in the folder of messages.
    ///
    /// ```yaml
    /// send_code: Skicka kod
    /// code_sent_by_sms: Vi har skickat en kod till {{number}}.
    /// code_incorrect: {one: Fel kod. 1 försök kvar., other: "Fel kod. {{count}} försök kvar."}
    /// ```
    ///
    /// - Throws: `MessageTemplateError`.
    package static func load(_ directory: String) throws -> [TextsFile] {
        let folders = try MessageFolder.names(in: directory)
        return try folders.compactMap { folder in
            let file = "\(directory)/\(folder)/\(MessageFolder.pageTexts)"
            guard let language = LanguageTag(folder),
                try MessageFolder.names(in: "\(directory)/\(folder)").contains(MessageFolder.pageTexts)
            else { return nil }
            let builtIn = Languages.builtIn.first { $0.language == language }
            let base = builtIn ?? Languages.texts(for: folder, among: Languages.builtIn) ?? Languages.english
            return TextsFile(try entries(of: file, in: language), in: language, over: base)
        }
    }

    private static func entries(of file: String, in language: LanguageTag) throws -> [String: PluralForms] {
        func refuse(_ problem: String, line: Int? = nil) -> MessageTemplateError {
            MessageTemplateError(file: file, line: line, problem)
        }
        let root: YAML?
        do { root = try YAML.parse(try MessageFolder.contents(of: file)) } catch let error as YAMLError {
            throw refuse(error.description)
        }
        guard let root else { return [:] }
        guard case .mapping(let members) = root else { throw refuse("must have a text for each name") }
        var entries: [String: PluralForms] = [:]
        for member in members {
            guard let variables = variables[member.name] else {
                let meant = NearestSetting.nearest(to: member.name, among: names.sorted())
                throw refuse(
                    "there is no text \(member.name)" + (meant.map { "; did you mean \($0)?" } ?? ""),
                    line: member.line
                )
            }
            func checked(_ text: String) throws -> String {
                for name in text.matches(of: /{{(.*?)}}/).map({ String($0.1) }) where !variables.contains(name) {
                    let known = variables.map { "{{\($0)}}" }.joined(separator: ", ")
                    throw refuse(
                        "\(member.name) has no variable {{\(name)}}" + (known.isEmpty ? "" : ", only \(known)"),
                        line: member.line
                    )
                }
                return text
            }
            switch member.value {
            case .scalar(let text, _) where !text.isEmpty: entries[member.name] = [.other: try checked(text)]
            case .mapping(let forms) where isCounted(member.name):
                var texts: [PluralCategory: String] = [:]
                for form in forms {
                    guard let category = PluralCategory(rawValue: form.name), case .scalar(let text, _) = form.value
                    else {
                        let known = PluralCategory.allCases.map(\.rawValue).joined(separator: ", ")
                        throw refuse("\(form.name) is no plural, which are \(known)", line: form.line)
                    }
                    texts[category] = try checked(text)
                }
                guard texts[.other] != nil else { throw refuse("\(member.name) lacks other", line: member.line) }
                entries[member.name] = PluralForms(texts)
            default: throw refuse("\(member.name) must be a text", line: member.line)
            }
        }
        return entries
    }
}
