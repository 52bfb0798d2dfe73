import CoreEncodings
import PhoneDelivery
import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Twilio's Silent Network Auth (https://www.twilio.com/docs/verify/sna): Twilio makes the URL that the phone opens, and
/// says afterwards whether that phone has the number. A token is `state=…`, with `code=…` before it where Twilio gives the phone a token.
struct TwilioVerifier: NumberProofVerifier {
    let kind = "network"
    /// Every token is bound to what it was begun for.
    let requiresNonce = false
    let asksToBegin = true
    let service: TwilioService
    let states: ProofStates
    let environment: DeliveryEnvironment
    let client = GatewayClient(connectTimeout: NetworkAnswer.deadline)

    func begin(_ claim: NumberClaim, at now: Timestamp) async throws -> ProofStart? {
        var form = [(name: "To", value: claim.number.e164), (name: "Channel", value: "sna")]
        if service.hasClientToken { form.append((name: "EnableSnaClientToken", value: "true")) }
        let fields = form
        let timely = await withTimeout(NetworkAnswer.deadline, on: environment.clock) { () async throws(Never) in
            try? await post(fields, to: "Verifications")
        }
        let answer = timely ?? nil
        guard answer?.status == 201, let json = answer?.json, let url = json["sna"]?["url"]?.string,
            EndpointURL(url) != nil, let digits = TwilioService.digits(of: json["sid"]?.string ?? "", "VE")
        else {
            let failure = NetworkAnswer.unavailable("no proof can begin", status: answer?.status)
            throw PhoneFailure.challengeFailed(failure.fault(environment.logger) ?? .unavailable, isOfNumber: true)
        }
        let (state, expiresAt) = try states.make(for: claim, digits, at: now)
        return ProofStart(url: url, expiresAt: expiresAt, token: "state=\(state)")
    }

    func verify(_ token: String, of claim: NumberClaim, at now: Timestamp) async -> Result<ProvenNumber, ProofFault> {
        guard let redirect = Redirect(token), !service.hasClientToken || redirect.code != nil
        else { return .failure(.invalid) }
        return states.number(proven: redirect.state, for: claim, isCounted: true, at: now)
    }

    func confirm(_ token: String, of claim: NumberClaim, at now: Timestamp) async -> ProofFault? {
        guard let redirect = Redirect(token) else { return .invalid }
        let answer = await withTimeout(NetworkAnswer.deadline, on: environment.clock) { () async throws(Never) in
            await ask(about: redirect, claim)
        }
        return (answer ?? .late).fault(environment.logger)
    }

    private func ask(about redirect: Redirect, _ claim: NumberClaim) async -> NetworkAnswer {
        var form = [(name: "VerificationSid", value: "VE\(states.digits(of: redirect.state))")]
        if service.hasClientToken, let code = redirect.code { form.append((name: "SnaClientToken", value: code)) }
        guard let answer = try? await post(form, to: "VerificationCheck") else {
            return .unavailable("Twilio cannot be asked", status: nil)
        }
        switch (answer.status, answer.json?["status"]?.string) {
        case (200...201, "approved"?) where answer.json?["to"]?.string == claim.number.e164: return .confirmed
        // Also of a phone that has not opened the URL yet.
        case (200...201, _?): return .refused
        // It was approved before, or has ended.
        case (404, _): return .refused
        default: return .unavailable("the number cannot be verified", status: answer.status)
        }
    }

    private func post(
        _ form: [(name: String, value: String)],
        to resource: String
    ) async throws(GatewayFailure) -> GatewayResponse {
        let headers = [GatewayClient.basicAuthorization(user: service.clientID, password: service.credential)]
        let url = "\(service.address)/v2/Services/\(service.sid)/\(resource)"
        return try await client.post(URLEncodedForm(form), to: url, headers: headers)
    }
}

/// The operator's service of Twilio Verify, as the settings have it.
struct TwilioService: Sendable {
    let sid: String
    let address: EndpointURL
    let clientID, credential: String
    /// Whether Twilio gives the phone a token that opens the URL, without which it approves nothing.
    let hasClientToken: Bool

    /// The digits of a SID: two letters and 32 lower-case hexadecimal digits. Nil for anything else.
    static func digits(of sid: String, _ letters: String) -> String? {
        let digits = sid.dropFirst(2)
        guard sid.hasPrefix(letters), Verification.ID(hexadecimal: digits) != nil else { return nil }
        return String(digits)
    }
}
