import PhoneDomain

extension TwilioListing {
    /// The page as Twilio's 2010 API has it (https://www.twilio.com/docs/usage/twilios-response#response-formats-list-paging-information).
    ///
    /// - Parameters:
    ///   - found: the messages that the filter finds, newest first: those before the page, those on it, and one more if there
    ///     is a further page. Of a page that was reached backwards the one more is the newest.
    ///   - account: the account that the path names.
    func page(of found: [StubMessage], account: String) -> JSON {
        let isBackwards = filter.newerThan != nil
        let shown = isBackwards ? Array(found.suffix(size)) : Array(found.dropFirst(offset).prefix(size))
        let hasNext = isBackwards || found.count > offset + size
        let start = page * size
        return [
            "first_page_uri": .string(address(ofPage: 0)),
            "end": .integer(max(start, start + shown.count - 1)),
            "previous_page_uri": .string(
                page > 0 ? address(ofPage: page - 1, token: shown.first.map(Self.token(before:))) : nil
            ),
            "messages": .array(shown.map { $0.twilioJSON(account: account) }),
            "uri": .string(address(ofPage: page)),
            "page_size": .integer(size),
            "start": .integer(start),
            "next_page_uri": .string(
                hasNext ? shown.last.map { address(ofPage: page + 1, token: Self.token(after: $0)) } : nil
            ),
            "page": .integer(page),
        ]
    }
}
