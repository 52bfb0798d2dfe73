import Hummingbird

extension Request {
    /// The form that a program sends to Twilio's 2010 API, by name.
    ///
    /// - Throws: ``TwilioError`` if it is too long or breaks off.
    func twilioForm() async throws -> [String: String] {
        do {
            return try await decodeForm()
        } catch let problem as Problem {
            throw TwilioError(21617, problem.detail, status: problem.status)
        }
    }
}

extension APIContext {
    /// The account that the path names.
    ///
    /// - Throws: ``TwilioError`` if it is none.
    func twilioAccount() throws(TwilioError) -> String {
        guard let account = parameters.get("account"), TwilioSID.isAccount(account) else { throw TwilioError.notFound }
        return account
    }
}
