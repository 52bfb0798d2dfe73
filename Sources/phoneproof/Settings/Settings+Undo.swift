import PhoneDelivery
import PhoneDomain

extension Settings {
    /// Where the link in the notice to an old number leads: what is set, or the service's own page under the address that it
    /// is known by.
    var undoAddress: UndoAddress? {
        if let address = accounts.undoAddress { return address }
        return UndoAddress(issuer + (issuer.hasSuffix("/") ? "" : "/") + "undo/")
    }

    /// What messages bear besides codes and secrets.
    var messageContext: MessageContext {
        var context = messageNames
        context.undoAddress = undoAddress
        // A tenant chooses how long its codes are.
        if !twilioVerify.isEnabled { context.longestCode = policy.codeLength }
        return context
    }

    /// What is doubtful about the links in notices; nil if nothing is.
    var doubtAboutUndoAddress: String? {
        guard accounts.undoAddress == nil, tokens.issuer == nil,
            !isLoopback || profile == .production || gateways.contains(.twilio)
        else { return nil }
        return
            "whoever is told that a number was changed is given a link to \(undoAddress?.description ?? issuer), where their "
            + "phone may find nothing; set accounts.undo_url, or tokens.issuer"
    }

    /// - Throws: ``SettingsError`` for an address that is none, and for one on the way to which links can be read.
    static func undoAddress(_ reader: inout SettingsReader) throws(SettingsError) -> UndoAddress? {
        try reader.value(
            "accounts.undo_url",
            default: nil,
            wanted:
                "an https address that ends in /, = or #, such as https://app.example.com/undo/; http for this machine alone"
        ) { text in UndoAddress(text).flatMap { $0.isPlain ? nil : .some($0) } }
    }
}
