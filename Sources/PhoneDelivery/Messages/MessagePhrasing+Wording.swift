import PhoneDomain

extension MessageTemplates {
    /// What this wording comes to.
    ///
    /// - Throws: if it comes to nothing. That values are missing, or that the message is long, it does not tell.
    func phrasing(
        of wording: MessageWording,
        locale: String?,
        in context: MessageContext
    ) throws(MessageWordingFault) -> MessagePhrasing {
        guard let set = set(wording.template ?? .standard) else { throw .templateUnknown }
        guard let template = set.template(for: locale) else { throw .translationMissing }
        var phrasing = MessagePhrasing(template: template, context: try context.worded(as: wording))
        phrasing.warns = wording.warnsAgainstSharing
        for (name, value) in wording.substitutions.sorted(by: { $0.key < $1.key }) {
            guard TemplateVariable(own: name) != nil, let value = SubstitutionValue(value) else {
                throw .valueRefused(name)
            }
            phrasing.values[name] = value
        }
        return phrasing
    }
}

extension MessagePhrasing {
    /// The template's own variables that have no value.
    var missingValues: [String] {
        template.ownVariables.filter { values[$0] == nil }
    }

    /// What has a character that a Korean carrier cannot send, in a Korean message: `service`, or a variable by its name.
    var unsendableValue: String? {
        guard case .cp949 = template.alphabet else { return nil }
        return template.variables.first { variable in
            switch variable {
            case .service: CP949.firstUnencodable(in: service.description) != nil
            case .own(let name): values[name].flatMap { CP949.firstUnencodable(in: $0.description) } != nil
            case .code, .minutes, .link: false
            }
        }?.name
    }
}

extension MessageContext {
    /// The context of a message in this wording: in the name that it says, for the app that it says. A name of that kind is
    /// the same in every language.
    ///
    /// - Throws: ``MessageWordingFault/valueRefused(_:)``.
    func worded(as wording: MessageWording) throws(MessageWordingFault) -> MessageContext {
        var (service, localNames, androidAppHash) = (self.service, self.localNames, self.androidAppHash)
        if let name = wording.service {
            guard let name = ServiceName(name) else { throw .valueRefused("service") }
            (service, localNames) = (name, [:])
        }
        if let hash = wording.appHash {
            guard let hash = AndroidAppHash(hash) else { throw .valueRefused("app_hash") }
            androidAppHash = hash
        }
        return MessageContext(
            service: service,
            localNames: localNames,
            webHost: webHost,
            androidAppHash: androidAppHash,
            undoAddress: undoAddress,
            longestCode: longestCode
        )
    }
}
