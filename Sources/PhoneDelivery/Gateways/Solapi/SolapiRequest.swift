/// A request to send one message.
///
/// Sources: https://github.com/solapi/solapi-nodejs (`src/models/requests/messages/sendMessage.ts`); that an Alimtalk which
/// fails is replaced by a text of one's own: https://github.com/solapi/solapi-asp (`examples/send_replacement.asp`).
struct SolapiRequest: Encodable {
    struct Message: Encodable {
        let to: String
        let from: String
        let type: String
        /// The text; nil where Kakao's template has it.
        let text: String?
        let country: String
        /// Else a text that is too long would become an LMS in silence, which is dearer.
        let autoTypeDetect = false
        let kakaoOptions: KakaoOptions?
        /// What is sent instead of an Alimtalk that fails.
        let replacements: [Replacement]?
    }

    struct KakaoOptions: Encodable {
        let pfId: String
        let templateId: String
        let variables: [String: String]
        let disableSms = false
    }

    struct Replacement: Encodable {
        let to: String
        let from: String
        let text: String
    }

    let messages: [Message]
    let showMessageList = true

    /// - Parameter alimtalk: the template to use, where a message has what it asks for.
    init(_ message: GatewayMessage, _ form: KoreanMessage, from sender: KoreanSender, alimtalk: Alimtalk?) {
        let from = sender.description
        // Kakao is dialled at home; and a notice bears no code.
        if form.country == "82", let alimtalk, let variables = message.variables {
            let values = alimtalk.variables.map { ($0.name, $0.filled(variables)) }
            messages = [
                Message(
                    to: form.to,
                    from: from,
                    type: "ATA",
                    text: nil,
                    country: form.country,
                    kakaoOptions: KakaoOptions(
                        pfId: alimtalk.channelID,
                        templateId: alimtalk.templateID,
                        variables: Dictionary(values) { first, _ in first }
                    ),
                    replacements: [Replacement(to: form.to, from: from, text: message.body)]
                )
            ]
        } else {
            messages = [
                Message(
                    to: form.to,
                    from: from,
                    type: form.kind.rawValue,
                    text: message.body,
                    country: form.country,
                    kakaoOptions: nil,
                    replacements: nil
                )
            ]
        }
    }
}
