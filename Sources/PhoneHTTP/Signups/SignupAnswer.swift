import PhoneDomain
import PhoneViewModel

/// A signup as its holder is shown it: all that a client draws, whatever was asked and however it went.
struct SignupAnswer {
    let id: Signup.ID
    var state: PhoneViewState
    let signedUp: SignedUp?

    /// The body.
    ///
    /// - Parameters:
    ///   - token: the signup's own, only in the answer that hands it over.
    ///   - tokens: the account's, only in the answer that hands them over.
    ///   - now: this moment.
    func json(token: SecretToken? = nil, tokens: JSON? = nil, at now: Timestamp) -> JSON {
        var members = [JSON.Member("id", .string(id.description))]
        if let token { members.append(JSON.Member("token", .string(token.text))) }
        members.append(JSON.Member("state", state.json(at: now)))
        members.append(JSON.Member("verification", state.verification?.json(at: now) ?? .null))
        members.append(JSON.Member("account", signedUp?.json ?? .null))
        if let tokens { members.append(JSON.Member("tokens", tokens)) }
        return .object(members)
    }
}
