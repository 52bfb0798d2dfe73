import Hummingbird

extension Request {
    /// The form that a program sends to Twilio's 2010 API, by name.
    ///
    /// - Throws: ``TwilioError`` if it is too long, and ``Problem`` if it breaks off.
    func twilioForm() async throws -> [String: String] {
        do {
            return try await decodeForm()
        } catch let problem as Problem where problem.status == .contentTooLarge {
            throw TwilioError(21617, problem.detail, status: problem.status)
        }
    }
}

extension APIContext {
    /// The account that the path names.
    ///
    /// - Parameter suffix: what follows its name there.
    /// - Throws: ``TwilioError`` if it is none.
    func twilioAccount(suffix: String = "") throws(TwilioError) -> String {
        guard let name = parameters.get("account"), name.hasSuffix(suffix),
            TwilioSID.isAccount(name.dropLast(suffix.count))
        else { throw TwilioError.notFound }
        return String(name.dropLast(suffix.count))
    }
}
