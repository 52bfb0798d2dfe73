import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneHTTP
import SMSStub

/// A page of a list, as Twilio's libraries walk it (https://www.twilio.com/docs/usage/twilios-response#pagination).
struct TwilioPage {
    let size: Int
    /// The page, from 0.
    let number: Int
    /// Where it begins, for lists that go by position instead of number.
    let token: String?
    /// The URL of the list, without the page.
    private let address: String

    /// The requested page. Twilio ignores an invalid size.
    ///
    /// - Parameter filters: the query parameters that are kept from page to page.
    init(_ request: Request, address: String, filters: [String] = []) {
        size = request.query("PageSize").flatMap { Int($0) }.map { min(max($0, 1), 1000) } ?? 50
        number = request.query("Page").flatMap { Int($0) }.map { min(max($0, 0), 1_000_000) } ?? 0
        token = request.query("PageToken")
        let filters = filters.compactMap { name in
            request.query(name).map { "\(name.percentEncoded)=\($0.percentEncoded)" }
        }
        self.address = address + "?" + (filters + ["PageSize=\(size)"]).joined(separator: "&")
    }

    var offset: Int { size * number }

    /// - Parameters:
    ///   - items: one more than fits, if there are more.
    ///   - nextToken: where the next page begins, for lists that go by position.
    func json(_ key: String, _ items: [JSON], nextToken: String? = nil) -> JSON {
        let hasMore = items.count > size
        return [
            key: .array(Array(items.prefix(size))),
            "meta": [
                "page": .integer(number),
                "page_size": .integer(size),
                "first_page_url": .string(url(0, token: nil)),
                "previous_page_url": number > 0 && token == nil ? .string(url(number - 1, token: nil)) : nil,
                "url": .string(url(number, token: token)),
                "next_page_url": hasMore ? .string(url(number + 1, token: nextToken)) : nil,
                "key": .string(key),
            ],
        ]
    }

    private func url(_ number: Int, token: String?) -> String {
        "\(address)&Page=\(number)" + (token.map { "&PageToken=\($0.percentEncoded)" } ?? "")
    }
}

/// The base of the URLs in responses: clients walk lists by them.
struct TwilioURLs: Sendable {
    /// The URL of `/v2`, without a slash at its end.
    let base: String

    /// - Parameters:
    ///   - request: its host is the default.
    ///   - base: the service's configured URL; it takes precedence.
    init(_ request: Request, base: String?) {
        if let base {
            self.base = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v2"
        } else {
            let scheme = request.scheme.isEmpty ? "http" : request.scheme
            self.base = "\(scheme)://\(Self.host(request.authority))/v2"
        }
    }

    /// The host of the request, if it is a valid name or address with or without a port.
    private static func host(_ authority: String?) -> String {
        guard let authority, !authority.isEmpty,
            authority.utf8.allSatisfy({
                $0.isUnreserved || [UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]")].contains($0)
            })
        else { return "localhost" }
        return authority
    }

    func service(_ id: Tenant.ID) -> String { "\(base)/Services/\(id.sid)" }
}
