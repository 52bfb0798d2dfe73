internal import CoreEncodings
public import PhoneNumbers
public import PhoneSignup

/// A verification on a server, as its owner sees it.
public struct RemoteVerification: Hashable, Sendable {
    public let id: String
    /// In E.164.
    public let phoneNumber: String
    public let nationalFormat: String
    /// Nil for a channel that this version does not know.
    public let channel: Channel?
    /// `pending`, `approved`, `canceled`, `expired`, `max_attempts_reached` or `failed`.
    public let status: String
    public let expiresAt: Timestamp?
    public let nextSendAt: Timestamp?
    public let sendsLeft: Int
    public let checksLeft: Int
    /// Your own words for it, as ``VerificationClient/begin(_:region:channel:locale:clientAddress:isVouched:reference:tags:key:)``
    /// has them.
    public let reference: String?
    public let tags: [String: String]

    public var isApproved: Bool { status == "approved" }

    init(_ body: JSON, at now: Timestamp) throws(PhoneProofError) {
        guard let id = body["id"]?.string, let phoneNumber = body["phone_number"]?.string,
            let status = body["status"]?.string
        else { throw .notUnderstood(status: 200) }
        (self.id, self.phoneNumber, self.status) = (id, phoneNumber, status)
        nationalFormat = body["national_format"]?.string ?? phoneNumber
        channel = body["channel"]?.string.flatMap(Channel.init)
        expiresAt = Timestamp(body, "expires_at", secondsIn: "expires_in", from: now)
        nextSendAt = Timestamp(body, "next_send_at", secondsIn: "next_send_in", from: now)
        (sendsLeft, checksLeft) = (body["sends_left"]?.integer ?? 0, body["checks_left"]?.integer ?? 0)
        reference = body["reference"]?.string
        tags = Dictionary((body["tags"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }) { $1 }
    }
}

/// Verifications by a server with an API key, which must never be part of an app. Each call has an `Idempotency-Key`
/// where it needs one, and is repeated by ``PhoneProofClient/Retries``.
public struct VerificationClient: Sendable {
    fileprivate let client: PhoneProofClient
    fileprivate let apiKey: String

    /// Sends a code; the same one once more while a verification of the number is pending.
    ///
    /// - Parameters:
    ///   - region: where a number without a calling code is at home; nil for the service's own.
    ///   - channel: nil for the order of the number's country.
    ///   - locale: of the message (BCP 47).
    ///   - clientAddress: the person's own IP address, so that limits by address apply to the person.
    ///   - isVouched: whether you have checked by other means that this is a person.
    ///   - reference: by which you find it again, such as the number of an order; 1 to 64 characters.
    ///   - tags: at most 8 values by key, for your figures.
    ///   - key: an `Idempotency-Key` of your own, for a call that you may repeat yourself.
    public func begin(
        _ phoneNumber: String,
        region: Region? = nil,
        channel: Channel? = nil,
        locale: String? = nil,
        clientAddress: String? = nil,
        isVouched: Bool = false,
        reference: String? = nil,
        tags: [String: String] = [:],
        key: String? = nil
    ) async throws(PhoneProofError) -> RemoteVerification {
        var fields = [JSON.Member]([
            "phone_number": phoneNumber, "region": region?.description, "channel": channel?.rawValue,
            "locale": locale, "client_address": clientAddress, "reference": reference,
        ])
        fields += [JSON.Member](tags: tags)
        if isVouched { fields.append(JSON.Member("vouched", true)) }
        return try await call("POST", "", fields, key: key ?? client.makeKey())
    }

    /// - Throws: a refusal with the code `code_incorrect`, `code_expired`, `max_checks_reached`, … unless the code is
    ///   right.
    public func check(
        _ code: String,
        of id: String,
        clientAddress: String? = nil,
        key: String? = nil
    ) async throws(PhoneProofError) -> RemoteVerification {
        let fields = [JSON.Member](["code": code, "client_address": clientAddress])
        return try await call("POST", "/\(id.percentEncoded)/checks", fields, key: key ?? client.makeKey())
    }

    public func verification(_ id: String) async throws(PhoneProofError) -> RemoteVerification {
        try await call("GET", "/\(id.percentEncoded)")
    }

    public func cancel(_ id: String) async throws(PhoneProofError) -> RemoteVerification {
        try await call("DELETE", "/\(id.percentEncoded)")
    }

    private func call(
        _ method: String,
        _ path: String,
        _ fields: [JSON.Member]? = nil,
        key: String? = nil
    ) async throws(PhoneProofError) -> RemoteVerification {
        let path = "/v1/verifications" + path
        let body = try await client.call(method, path, token: apiKey, fields: fields, key: key, repetition: .always)
        return try RemoteVerification(body, at: client.now())
    }
}

extension [JSON.Member] {
    /// None without tags.
    init(tags: [String: String]) {
        let members = tags.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }
        self = tags.isEmpty ? [] : [JSON.Member("tags", .object(members))]
    }
}

extension PhoneProofClient {
    public func verifications(apiKey: String) -> VerificationClient {
        VerificationClient(client: self, apiKey: apiKey)
    }
}
