import FoundationEssentials
import PhoneDomain

/// By what Twilio's reports are known: its signature, of the address that it calls and the fields of the form.
struct TwilioCallbackCheck {
    /// The address in every way in which Twilio may have written it.
    private let addresses: [String]
    private let token: String
    private let authenticator: any RequestAuthenticator

    init(address: CallbackAddress, account: TwilioAccount, authenticator: any RequestAuthenticator) {
        addresses = address.spellings
        token = account.authToken
        self.authenticator = authenticator
    }

    /// Whether the signature is that of these fields, in a time that does not tell how much of it is right.
    ///
    /// - Throws: if the cryptography fails.
    func isRight(of form: SignedForm) throws -> Bool {
        let signature = TwilioSignature(authenticator: authenticator)
        let fields = form.fields.map { (name: $0.name, value: $0.value) }
        let told = Array(form.signature.utf8)
        return try addresses.reduce(false) { isRight, address in
            let right = try signature.text(url: address, fields: fields, token: token)
            let isSame = authenticator.areEqual(Array(right.utf8), told)
            return isRight || isSame
        }
    }
}

extension CallbackAddress {
    /// With the port and without it, with the query as it is and as older parts of Twilio write it: nobody can know which of
    /// these is signed (`validateRequest` of https://github.com/twilio/twilio-node, `src/webhooks/webhooks.ts`).
    fileprivate var spellings: [String] {
        let schemeEnd = description.firstRange(of: "://")?.upperBound ?? description.startIndex
        let hostEnd = description[schemeEnd...].firstIndex { "/?".contains($0) } ?? description.endIndex
        let (scheme, host, rest) = (
            description[..<schemeEnd], description[schemeEnd..<hostEnd], description[hostEnd...]
        )
        // The brackets of an address of IPv6 have colons in them.
        let nameEnd = host.lastIndex(of: "]") ?? host.startIndex
        let colon = host[nameEnd...].lastIndex(of: ":")
        let bare = host[..<(colon ?? host.endIndex)]
        let full = colon == nil ? "\(host):\(isPlain ? 80 : 443)" : "\(host)"
        let rests = Set([String(rest), Self.recoded(String(rest))])
        return rests.sorted().flatMap { ["\(scheme)\(bare)\($0)", "\(scheme)\(full)\($0)"] }
    }

    /// The path with its query decoded and encoded once more, as `querystring` of Node.js does it.
    private static func recoded(_ rest: String) -> String {
        guard let mark = rest.firstIndex(of: "?") else { return rest }
        let pairs = rest[rest.index(after: mark)...].split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return "\(recodedPart(name))=\(recodedPart(pair.dropFirst(name.count + 1)))"
        }
        return rest[..<mark] + "?" + pairs.joined(separator: "&")
    }

    private static func recodedPart(_ text: Substring) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        let encoded = spaced.percentDecoded.percentEncoded
        // What Node.js leaves as it is besides the unreserved characters.
        return [("%21", "!"), ("%2A", "*"), ("%27", "'"), ("%28", "("), ("%29", ")")].reduce(encoded) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
