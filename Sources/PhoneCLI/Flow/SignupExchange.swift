import PhoneDomain

/// One call of the service and its answer.
protocol SignupExchange: Sendable {
    /// Makes the call.
    ///
    /// - Throws: ``SignupFlowError/unreachable(server:reason:)`` if there is no answer.
    func answer(to call: SignupCall) async throws(SignupFlowError) -> SignupAnswer
}

/// A call of the service.
struct SignupCall: Hashable, Sendable {
    var method: String
    var path: String
    var token: SecretToken?
    var fields: [String: String]
}

/// What the service answered.
struct SignupAnswer: Hashable, Sendable {
    var status: Int
    var body: [UInt8]
}
