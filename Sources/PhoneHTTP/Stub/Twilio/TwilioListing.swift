import Hummingbird
import PhoneDomain

/// Which page of which messages a program asks Twilio's Messages API for.
///
/// Pages hang together by a token that names a message, and not by their number alone: so a message that comes while a
/// program turns the pages moves none of them, and one is neither shown twice nor left out. Whoever names a page by its
/// number alone gets what is there at that time.
struct TwilioListing {
    /// The filters that narrow a list, in the order in which addresses bear them.
    private static let filterNames = ["To", "From", "DateSent", "DateSent<", "DateSent>"]

    /// What is asked for.
    let filter: StubFilter
    /// How many messages a page has at most.
    let size: Int
    /// The number of the page, from 0.
    let page: Int
    /// How many messages stand before the page among those that the filter finds.
    let offset: Int

    private let address: String

    /// - Parameters:
    ///   - query: of the request, by name.
    ///   - account: whose messages.
    /// - Throws: ``TwilioError``.
    init(query: [String: String], account: String) throws(TwilioError) {
        func value(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
        // Twilio passes over a page or a size that is none.
        func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
            value(name).flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        var filter = StubFilter(to: value("To"))
        filter.isCall = false
        filter.from = value("From")
        if let on = try Self.moments(of: value("DateSent"), isDay: true) {
            (filter.sentSince, filter.sentBefore) = (on.lowerBound, on.upperBound)
        }
        if let until = try Self.moments(of: value("DateSent<")) {
            filter.sentBefore = min(filter.sentBefore ?? until.upperBound, until.upperBound)
        }
        if let since = try Self.moments(of: value("DateSent>")) {
            filter.sentSince = max(filter.sentSince ?? since.lowerBound, since.lowerBound)
        }
        size = number("PageSize", in: 1...1000) ?? 50
        page = number("Page", in: 0...1_000_000) ?? 0
        let isByToken: Bool
        switch value("PageToken").map({ ($0.prefix(2), Int($0.dropFirst(2))) }) {
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
                value(name).map { "\(name.percentEncoded)=\($0.percentEncoded)&" }
            }
            .joined() + "PageSize=\(size)&Page="
    }

    /// The address of the page of this number.
    ///
    /// - Parameter token: where it begins; nil for the place that its number says.
    func address(ofPage page: Int, token: String? = nil) -> String {
        "\(address)\(page)" + (token.map { "&PageToken=\($0)" } ?? "")
    }

    /// The token of the page of what came before a message.
    static func token(after message: StubMessage) -> String { "PA\(message.serial)" }

    /// The token of the page of what came after a message.
    static func token(before message: StubMessage) -> String { "PB\(message.serial)" }

    /// The moments that a date names: a day, or a second; nil if there is no date. The libraries write each date as a time
    /// of a day, midnight if none is given, so where a day is asked for that stands for all of it.
    private static func moments(of text: String?, isDay: Bool = false) throws(TwilioError) -> Range<Timestamp>? {
        guard let text else { return nil }
        if let day = Timestamp(rfc3339: text + "T00:00:00Z") { return day..<day + .seconds(86_400) }
        guard let moment = Timestamp(rfc3339: text) else {
            throw TwilioError(20001, "DateSent must be a date, as 2026-05-15, or a time, as 2026-05-15T14:30:00Z.")
        }
        let isMidnight = moment.milliseconds % 86_400_000 == 0
        return moment..<moment + .seconds(isDay && isMidnight ? 86_400 : 1)
    }
}

extension Request {
    /// The query by name, with the percent-encoding of names and values undone: `DateSent<=2026-05-15` is written in both
    /// ways. Of several values of one name the first counts.
    var queryByName: [String: String] {
        Dictionary(
            uri.queryParameters.map { (String(percentDecoding: $0.key) ?? String($0.key), String($0.value)) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
