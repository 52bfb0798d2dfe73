public import CoreEncodings
import Logging
import PhoneAdministration
public import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Asks a program of the operator over HTTP before each message, signed as Standard Webhooks specifies.
public struct SendHookClient: SendHook {
    private let endpoint: EndpointURL
    private let client: GatewayClient
    private let signer: any EventSigner
    private let identifiers: any IdentifierSource
    /// How long the program may take for its whole answer.
    private let timeout: Duration
    /// What no answer, and none that can be understood, means.
    private let onFailure: SendDecision
    private let showsNumber: Bool
    private let environment: DeliveryEnvironment

    public init(
        endpoint: EndpointURL,
        signer: any EventSigner,
        identifiers: any IdentifierSource,
        timeout: Duration,
        onFailure: SendDecision,
        showsNumber: Bool,
        environment: DeliveryEnvironment
    ) {
        (self.endpoint, self.signer, self.identifiers) = (endpoint, signer, identifiers)
        (self.timeout, self.onFailure, self.showsNumber) = (timeout, onFailure, showsNumber)
        self.environment = environment
        client = GatewayClient(connectTimeout: timeout)
    }

    public func decide(_ question: SendQuestion) async -> SendDecision {
        do {
            return try await ask(question)
        } catch {
            environment.logger.warning(
                "hooks.before_send gave no decision; acting by hooks.before_send.on_failure",
                metadata: ["error": "\(error)", "decision": "\(onFailure.rawValue)"]
            )
            return onFailure
        }
    }

    private func ask(_ question: SendQuestion) async throws -> SendDecision {
        let body = Array(json(question).text.utf8)
        let id = EventID(exampleOf: try identifiers.makeBits())
        let seconds = environment.wallClock.now().milliseconds / 1000
        let headers = [
            ("User-Agent", "PhoneProof"), ("webhook-id", id.description), ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", try signer.signatures(id: id, seconds: seconds, body: body)),
        ]
        let (client, url) = (client, endpoint.description)
        let answer = try await withTimeout(timeout, on: environment.clock) { () async throws(GatewayFailure) in
            try await client.post(body, contentType: "application/json", to: url, headers: headers)
        }
        guard let answer else { throw NoDecision(description: "no response in time") }
        guard answer.status == 200, let json = answer.json,
            let decision = json["decision"]?.string.flatMap(SendDecision.init(rawValue:))
        else { throw NoDecision(description: "the response (\(answer.status)) has no decision") }
        if decision == .deny {
            environment.logger.notice(
                "hooks.before_send denied a message",
                metadata: [
                    "number": "\(question.number.masked)",
                    "reason": "\(Self.printable(json["reason"]?.string ?? ""))",
                ]
            )
        }
        return decision
    }

    private struct NoDecision: Error, CustomStringConvertible {
        let description: String
    }

    private func json(_ question: SendQuestion) -> JSON {
        [
            "type": "send.requested",
            "timestamp": .string(environment.wallClock.now().description),
            "data": [
                "phone_number": .string(showsNumber ? question.number.e164 : question.number.prefix + "****"),
                "prefix": .string(question.number.prefix),
                "region": .string(question.number.region.description),
                "kind": .string(question.number.kind.rawValue),
                "channel": .string(question.channel.rawValue),
                "gateways": .array(question.gateways.map { .string($0) }),
                "price": question.price.map {
                    [
                        "amount": .string(Money.text($0.millionths, decimals: 2...6)),
                        "currency": .string($0.currency),
                    ]
                } ?? .null,
                "client_address": .string(question.address?.description),
                "is_repeated": .bool(question.isRepeated),
                "is_vouched": .bool(question.isVouched),
                "has_proof": .bool(question.hasProof),
                "reference": .string(question.labels.reference?.description),
                "tags": question.labels.tags?.json ?? .null,
                "last_day": [
                    "prefix": Self.json(question.prefix),
                    "country": Self.json(question.country),
                    "network": question.network.map(Self.json) ?? .null,
                ],
                "guard": [
                    "verdict": .string(question.verdict.action.rawValue),
                    "reasons": .array(question.verdict.reasons.map { .string($0.rawValue) }),
                ],
            ],
        ]
    }

    /// The program's own words, cut, and without digits, which may be a number.
    private static func printable(_ text: String) -> String {
        String(
            text.unicodeScalars.prefix(200).map { scalar -> Character in
                scalar.properties.numericType != nil
                    ? "#" : scalar.value < 0x20 || scalar.value == 0x7F ? " " : Character(scalar)
            }
        )
    }

    private static func json(_ sample: Traffic.Sample) -> JSON {
        ["sent": .integer(sample.sent), "approved": .integer(sample.approved)]
    }
}
