import CoreEncodings
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneService
import Texts

/// The parts of the pages that are about passkeys, and what operators see of them. Without the script there is nothing of
/// what only it can do.
struct PasskeyPages: KeySignIn {
    let passkeys: PasskeyUseCase

    let path = "passkeys"
    let script = HTML(trusted: EmbeddedFiles.passkeysJS)

    func linkText(in texts: Texts) -> String { texts.passkeys.heading }
    func refusal(in texts: Texts) -> String { texts.passkeys.refused }

    func signInFields(in texts: Texts) -> HTML {
        """
        <input type="hidden" name="credential">
        <button class="plain">\(texts.passkeys.signIn)</button>
        """
    }

    func signIn(by form: FormFields, userAgent: String?, from address: ClientAddress?) async throws -> IssuedTokens? {
        guard let credential = form["credential"].flatMap({ JSON(parsing: $0) }) else { return nil }
        do {
            return try await ceremony {
                try await passkeys.signIn(by: credential, userAgent: userAgent, from: address)
            }
        } catch CeremonyFault.used {
            throw BrowserCookies.FormFault.replaced
        } catch is CeremonyFault {
            return nil
        } catch PhoneFailure.notSignedIn {
            return nil
        }
    }

    func offer(
        to signedIn: SignedIn,
        failed: Bool,
        token: HTML,
        in texts: Texts
    ) async throws -> PagePart? {
        // One that waits for the person's word is shown with the others.
        let known = try await passkeys.passkeys(of: signedIn)
        if known.contains(where: { !$0.isValid }) {
            return PagePart(
                texts.passkeys.heading,
                list(known, token: token, in: texts) + skip(token, in: texts, texts.pages.goOn)
            )
        }
        guard known.isEmpty || failed else { return nil }
        return PagePart(
            texts.passkeys.offerHeading,
            """
            <p>\(texts.passkeys.offer)</p>
            \(try await creation(for: signedIn, failed: failed, token: token, in: texts))
            \(skip(token, in: texts, texts.passkeys.skip))
            """
        )
    }

    func page(of signedIn: SignedIn, failed: Bool, token: HTML, in texts: Texts) async throws -> PagePart {
        let known = try await passkeys.passkeys(of: signedIn)
        return PagePart(
            texts.passkeys.heading,
            """
            \(known.isEmpty ? "<p>\(texts.passkeys.none)</p>" : list(known, token: token, in: texts))
            \(try await creation(for: signedIn, failed: failed, token: token, in: texts))
            <p><a href="signup">\(texts.pages.goOn)</a></p>
            """
        )
    }

    private func creation(
        for signedIn: SignedIn,
        failed: Bool,
        token: HTML,
        in texts: Texts
    ) async throws -> HTML {
        guard passkeys.mayRegister(signedIn) else { return "<p class=\"note\">\(texts.failures.proofTooOld)</p>" }
        let options = try await passkeys.creationOptions(for: signedIn).text
        let alert: HTML = failed ? "\(texts.passkeys.failed)" : ""
        return """
            <form method="post" id="new-key" data-options="\(options)" data-failed="\(texts.passkeys.failed)" hidden>
            \(token)<input type="hidden" name="action" value="add_key"><input type="hidden" name="credential">
            <button>\(texts.passkeys.create)</button>
            <p class="note alert" id="key-alert" role="alert">\(alert)</p>
            </form>
            """
    }

    private func skip(_ token: HTML, in texts: Texts, _ text: String) -> HTML {
        """
        <form method="post">
        \(token)<input type="hidden" name="action" value="skip_key">
        <button class="plain">\(text)</button>
        </form>
        """
    }

    private func list(_ known: [(passkey: Passkey, isValid: Bool)], token: HTML, in texts: Texts) -> HTML {
        known.map { passkey, isValid -> HTML in
            let id: HTML = "\(token)<input type=\"hidden\" name=\"id\" value=\"\(passkey.credentialID)\">"
            let used = texts.language.text(of: passkey.lastUsedAt ?? passkey.createdAt)
            let confirmation: HTML = """
                <p class="small">\(texts.passkeys.ask)</p>
                <form method="post">\(id)<button name="action" value="confirm_key">\(texts.passkeys.keep)</button></form>

                """
            return """
                <section class="key"><h2>\(passkey.name.description)</h2>
                <p class="small">\(texts.passkeys.used.filled(["moment": used]))</p>
                \(confirmation, if: !isValid)<form method="post" class="rename">\(id)
                <label>\(texts.passkeys.name)<input name="name" value="\(passkey.name.description)" maxlength="\(PasskeyName.longest)" autocomplete="off" required></label>
                <button class="plain" name="action" value="rename_key">\(texts.passkeys.rename)</button></form>
                <form method="post">\(id)<button class="plain" name="action" value="remove_key">\(texts.passkeys.remove)</button></form>
                </section>
                """
        }
        .joined(separator: "\n")
    }

    func act(
        on form: FormFields,
        for signedIn: SignedIn,
        userAgent: String?,
        from address: ClientAddress?
    ) async throws -> Bool {
        let id = form["id"] ?? ""
        switch form["action"] {
        case "add_key":
            guard let credential = form["credential"].flatMap({ JSON(parsing: $0) }) else { return false }
            do {
                let name = PasskeyName(ofDeviceIn: userAgent)
                _ = try await passkeys.register(credential, name: name, for: signedIn, from: address)
                return true
            } catch is CeremonyFault {
                return false
            }
        case "rename_key":
            guard let name = form["name"].flatMap({ PasskeyName($0.trimmed) }) else { return false }
            return try await passkeys.rename(id, name, of: signedIn, from: address)
        case "remove_key": return try await passkeys.remove(id, of: signedIn, from: address)
        case "confirm_key": return try await passkeys.confirm(id, of: signedIn, from: address)
        default: return false
        }
    }

    func keys(of account: Account) async throws -> [SignInKey] { try await passkeys.keys(of: account) }

    func removeKey(_ id: String, of account: Account.ID, by author: Operator) async throws -> String? {
        try await passkeys.remove(id, of: account, by: author)?.name.description
    }
}
