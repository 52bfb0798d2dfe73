import Hummingbird
import PhoneDomain

/// A page of a list, as Twilio's libraries walk it (https://www.twilio.com/docs/usage/twilios-response#pagination).
struct TwilioPage {
    /// How many there are on a page.
    let size: Int
    /// Which page it is, from 0.
    let number: Int
    /// Where it begins, for lists that go by place rather than by number.
    let token: String?
    /// The address of the list, without what says which page.
    private let address: String

    private static let standardSize = 50
    private static let sizes = 1...1000

    /// The page that a request asks for. Twilio passes over a size that cannot be.
    ///
    /// - Parameters:
    ///   - request: what was asked.
    ///   - address: of the list.
    ///   - filters: the query's parameters that are kept from page to page.
    init(_ request: Request, address: String, filters: [String] = []) {
        size =
            request.query("PageSize").flatMap { Int($0) }.map { min(max($0, 1), Self.sizes.upperBound) }
            ?? Self.standardSize
        number = request.query("Page").flatMap { Int($0) }.map { min(max($0, 0), 1_000_000) } ?? 0
        token = request.query("PageToken")
        let kept = filters.compactMap { name in
            request.query(name).map { "\(name.percentEncoded)=\($0.percentEncoded)" }
        }
        self.address = address + "?" + (kept + ["PageSize=\(size)"]).joined(separator: "&")
    }

    /// How many come before it.
    var offset: Int { size * number }

    /// The list's body.
    ///
    /// - Parameters:
    ///   - key: what the list is called.
    ///   - items: one more than there is room for, if there are more.
    ///   - nextToken: where the next page begins, for lists that go by place.
    func json(_ key: String, _ items: [JSON], nextToken: String? = nil) -> JSON {
        let hasMore = items.count > size
        return .object([
            JSON.Member(key, .array(Array(items.prefix(size)))),
            JSON.Member(
                "meta",
                [
                    "page": .integer(number),
                    "page_size": .integer(size),
                    "first_page_url": .string(url(0, token: nil)),
                    "previous_page_url": number > 0 && token == nil ? .string(url(number - 1, token: nil)) : nil,
                    "url": .string(url(number, token: token)),
                    "next_page_url": hasMore ? .string(url(number + 1, token: nextToken)) : nil,
                    "key": .string(key),
                ]
            ),
        ])
    }

    private func url(_ number: Int, token: String?) -> String {
        "\(address)&Page=\(number)" + (token.map { "&PageToken=\($0.percentEncoded)" } ?? "")
    }
}
