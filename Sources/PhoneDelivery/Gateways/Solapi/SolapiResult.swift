import PhoneDomain

/// What Solapi answered of messages that it took.
///
/// A code of 4000 means that it is on the phone, one of 2000 to 3000 that it is on its way, and any other that it is lost
/// (https://developers.solapi.com/references/message-status-codes).
struct SolapiResult: Decodable {
    /// One message.
    struct Message: Decodable {
        private let messageId: String?
        private let type: String?
        private let statusCode: LenientText?

        var id: String? { messageId }

        /// How it fared; nil as long as nobody knows. Of an Alimtalk that is lost, a text may have gone out instead, of which
        /// this says nothing.
        var outcome: DeliveryReceipt.Outcome? {
            guard let code = statusCode?.text.flatMap({ Int($0) }) else { return nil }
            switch code {
            case 4000: return .delivered
            case 1000..<2000, 3001..<4000: return type == "ATA" ? nil : .undelivered(code: code)
            default: return nil
            }
        }
    }

    /// By their names.
    let messageList: [String: Message]
}
