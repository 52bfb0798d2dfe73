import CoreEncodings
import HTTPTypes
import PhoneDelivery
import PhoneHTTP
import PhoneSignup

/// Which page of which messages a program asks Twilio's Messages API for.
///
/// The next page is named by the last message of this one, not by its number alone: so a new message moves no page while
/// a program walks them, and none is shown twice or left out.
struct TwilioListing {
    private let to, from: String?
    /// The times that `DateSent`, `DateSent<` and `DateSent>` allow. Every message has been sent once it is accepted.
    private let dates: [Range<Timestamp>]
    /// The page begins with the message before this one; nil for the newest.
    private let olderThan: Int?
    /// Counted from 0. A number without a token names no page, as nobody knows where it begins.
    private let page: Int
    let size: Int
    /// The address of a page up to its number, with the filters in the order in which Twilio's URLs have them.
    private let address: String

    init(query: FormFields, account: String) throws(TwilioError) {
        let query = query.filled
        // Twilio ignores an invalid page or size.
        func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
            query[name].flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        (to, from) = (query["To"], query["From"])
        let ends = (Timestamp(milliseconds: 0), Timestamp(milliseconds: .max))
        dates = try [
            Self.moments(of: query["DateSent"], isDay: true),
            Self.moments(of: query["DateSent<"]).map { ends.0..<$0.upperBound },
            Self.moments(of: query["DateSent>"]).map { $0.lowerBound..<ends.1 },
        ].compactMap(\.self)
        size = number("PageSize", in: 1...1000) ?? 50
        if let token = query["PageToken"] {
            guard token.hasPrefix("PA"), let serial = Int(token.dropFirst(2)) else {
                throw TwilioError(20001, "PageToken must be one that a page of this list gave.")
            }
            (olderThan, page) = (serial, number("Page", in: 0...1_000_000) ?? 0)
        } else {
            (olderThan, page) = (nil, 0)
        }
        let filters = ["To", "From", "DateSent", "DateSent<", "DateSent>"].compactMap { name in
            query[name].map { "\(name.percentEncoded)=\($0.percentEncoded)&" }
        }
        address = "/2010-04-01/Accounts/\(account)/Messages.json?\(filters.joined())PageSize=\(size)&Page="
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

    func includes(_ message: StubMessage) -> Bool {
        !message.request.isCall && to ?? message.to == message.to && from ?? message.from == message.from
            && message.serial < olderThan ?? .max && dates.allSatisfy { $0.contains(message.createdAt) }
    }

    /// The page as Twilio's 2010 API has it
    /// (https://www.twilio.com/docs/usage/twilios-response#response-formats-list-paging-information), but for the way
    /// back, which no library goes by itself.
    ///
    /// - Parameter found: the messages of the page, newest first, and one more if there is a further page.
    func page(of found: [StubMessage], account: String) -> JSON {
        let shown = found.prefix(size)
        let next = found.count > size ? shown.last.map { "\(address)\(page + 1)&PageToken=PA\($0.serial)" } : nil
        return [
            "first_page_uri": .string(address + "0"),
            "end": .integer(max(page * size, page * size + shown.count - 1)),
            "previous_page_uri": nil,
            "messages": .array(shown.map { $0.twilioJSON(account: account) }),
            "uri": .string("\(address)\(page)"),
            "page_size": .integer(size),
            "start": .integer(page * size),
            "next_page_uri": .string(next),
            "page": .integer(page),
        ]
    }
}
