import FoundationEssentials

/// What Vonage's SMS API answered, and what that means for the message. It answers 200 whatever became of it, with a status
/// for each SMS that a text takes.
///
/// | answer | means |
/// |---|---|
/// | 2xx, every SMS with status 0 | taken, under the name of the first |
/// | 2xx, every SMS with another status | surely not sent; what next, the first one's status says |
/// | 2xx, some with status 0 and some not | a part is on its way; it would be sent twice |
/// | 2xx that cannot be read, counts other than it lists, or names no message | nobody knows |
/// | any other | what its status says (``GatewayAnswer/statusFailure``) |
///
/// Source: https://developer.vonage.com/en/api/sms.
struct VonageAnswer {
    let answer: GatewayAnswer

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure = answer.statusFailure { throw failure }
        guard let content = answer.body.flatMap({ try? JSONDecoder().decode(Content.self, from: Data($0)) }),
            let first = content.messages.first
        else { throw .ambiguous("the answer cannot be read", code: answer.status) }
        guard let refused = content.messages.first(where: { $0.status != 0 }) else {
            guard content.count == nil || content.count == content.messages.count else {
                throw .ambiguous("the answer contradicts itself", code: answer.status)
            }
            guard let receipt = GatewayReceipt(reading: first.id) else {
                throw .ambiguous("the answer names no message", code: answer.status)
            }
            return receipt
        }
        guard content.messages.allSatisfy({ $0.status != 0 }) else {
            throw .ambiguous("a part of the message was taken", code: refused.status)
        }
        guard let status = refused.status, content.messages.allSatisfy({ $0.status != nil }) else {
            throw .ambiguous("the answer cannot be read", code: answer.status)
        }
        throw .refusal(vonageStatus: status)
    }

    private struct Content: Decodable {
        let count: Int?
        let messages: [Message]

        private enum CodingKeys: String, CodingKey {
            case messages
            case count = "message-count"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            count = container.integer(.count)
            messages = try container.decode([Message].self, forKey: .messages)
        }
    }

    /// One SMS.
    private struct Message: Decodable {
        let id: String?
        /// Nil if there is none that can be read.
        let status: Int?

        private enum CodingKeys: String, CodingKey {
            case status
            case id = "message-id"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try? container.decode(String.self, forKey: .id)
            status = container.integer(.status)
        }
    }
}

extension KeyedDecodingContainer {
    /// A number, which Vonage writes as text.
    fileprivate func integer(_ key: Key) -> Int? {
        (try? decode(String.self, forKey: key)).flatMap(Int.init) ?? (try? decode(Int.self, forKey: key))
    }
}
