import CoreEncodings
import HTTPTypes
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import PhoneSignup

/// Which page of which messages a program asks Twilio's Messages API for.
///
/// Pages are linked by a token that names a message, not by their number alone: so a new message moves no page while a
/// program walks them, and none is shown twice or left out. A page named by its number alone shows what is there at
/// that time.
struct TwilioListing {
    /// The filters in the order in which URLs have them.
    private static let filterNames = ["To", "From", "DateSent", "DateSent<", "DateSent>"]

    let filter: StubFilter
    let size: Int
    /// The page, from 0.
    let page: Int
    /// How many messages precede the page.
    let offset: Int

    private let address: String

    init(query: FormFields, account: String) throws(TwilioError) {
        let query = query.filled
        // Twilio ignores an invalid page or size.
        func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
            query[name].flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        var filter = StubFilter(to: query["To"])
        filter.isCall = false
        filter.from = query["From"]
        if let on = try Self.moments(of: query["DateSent"], isDay: true) {
            (filter.sentSince, filter.sentBefore) = (on.lowerBound, on.upperBound)
        }
        if let until = try Self.moments(of: query["DateSent<"]) {
            filter.sentBefore = min(filter.sentBefore ?? until.upperBound, until.upperBound)
        }
        if let since = try Self.moments(of: query["DateSent>"]) {
            filter.sentSince = max(filter.sentSince ?? since.lowerBound, since.lowerBound)
        }
        size = number("PageSize", in: 1...1000) ?? 50
        page = number("Page", in: 0...1_000_000) ?? 0
        let isByToken: Bool
        switch query["PageToken"].map({ ($0.prefix(2), Int($0.dropFirst(2))) }) {
        // The page of older messages than this one; PB is that of newer ones.
        case ("PA", let serial?)?: (filter.olderThan, isByToken) = (serial, true)
        case ("PB", let serial?)?: (filter.newerThan, isByToken) = (serial, true)
        case nil: isByToken = false
        default: throw TwilioError(20001, "PageToken must be one that a page of this list gave.")
        }
        offset = isByToken ? 0 : page * size
        self.filter = filter
        address =
            "/2010-04-01/Accounts/\(account)/Messages.json?"
            + Self.filterNames.compactMap { name in
                query[name].map { "\(name.percentEncoded)=\($0.percentEncoded)&" }
            }
            .joined() + "PageSize=\(size)&Page="
    }

    /// - Parameter token: where the page begins; nil for the place that its number says.
    func address(ofPage page: Int, token: String? = nil) -> String {
        "\(address)\(page)" + (token.map { "&PageToken=\($0)" } ?? "")
    }

    /// The times that a date stands for: a day, or a second; nil if there is no date. The libraries write each date as
    /// a time of day, midnight if none is given, so with `isDay` that stands for the whole day.
    private static func moments(of text: String?, isDay: Bool = false) throws(TwilioError) -> Range<Timestamp>? {
        guard let text else { return nil }
        if let day = Timestamp(rfc3339: text + "T00:00:00Z") { return day..<day + .seconds(86_400) }
        guard let moment = Timestamp(inQuery: text) else {
            throw TwilioError(20001, "DateSent must be a date, as 2026-05-15, or a time, as 2026-05-15T14:30:00Z.")
        }
        let isMidnight = moment.milliseconds % 86_400_000 == 0
        return moment..<moment + .seconds(isDay && isMidnight ? 86_400 : 1)
    }
}

extension TwilioListing {
    /// The page as Twilio's 2010 API has it
    /// (https://www.twilio.com/docs/usage/twilios-response#response-formats-list-paging-information).
    ///
    /// - Parameter found: the messages that the filter finds, newest first: those before the page, those on it, and one
    ///   more if there is a further page. For a page that was reached backwards the one more is the newest.
    func page(of found: [StubMessage], account: String) -> JSON {
        let isBackwards = filter.newerThan != nil
        let shown = isBackwards ? Array(found.suffix(size)) : Array(found.dropFirst(offset).prefix(size))
        let hasNext = isBackwards || found.count > offset + size
        let start = page * size
        return [
            "first_page_uri": .string(address(ofPage: 0)),
            "end": .integer(max(start, start + shown.count - 1)),
            "previous_page_uri": .string(
                page > 0 ? address(ofPage: page - 1, token: shown.first.map { "PB\($0.serial)" }) : nil
            ),
            "messages": .array(shown.map { $0.twilioJSON(account: account) }),
            "uri": .string(address(ofPage: page)),
            "page_size": .integer(size),
            "start": .integer(start),
            "next_page_uri": .string(
                hasNext ? shown.last.map { address(ofPage: page + 1, token: "PA\($0.serial)") } : nil
            ),
            "page": .integer(page),
        ]
    }
}
