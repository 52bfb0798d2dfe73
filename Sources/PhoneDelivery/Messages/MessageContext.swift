/// What a message bears besides its code or its secret: who sends it, where the code may be filled in without typing, and
/// where the secret is of use.
public struct MessageContext: Sendable, Equatable {
    /// Who sends the message.
    public let service: ServiceName

    /// How it is called in a language, by the language alone and in lower case (`ko`), where that differs: a name in
    /// Hangul fits no English message, since it would take twice as many of them.
    public let localNames: [String: ServiceName]

    /// The website that a browser may fill the code into, if any.
    public let webHost: WebHost?

    /// The Android app that may read the code from the message, if any.
    public let androidAppHash: AndroidAppHash?

    /// Where a change of number is undone, if numbers are changed at all.
    public var undoAddress: UndoAddress?

    /// How many digits the longest code has: room for it is kept where the length of a text is checked.
    public var longestCode: Int

    /// A context; without host and hash the message has no lines but those of its template.
    public init(
        service: ServiceName,
        localNames: [String: ServiceName] = [:],
        webHost: WebHost? = nil,
        androidAppHash: AndroidAppHash? = nil,
        undoAddress: UndoAddress? = nil,
        longestCode: Int = 10
    ) {
        self.service = service
        self.localNames = localNames
        self.webHost = webHost
        self.androidAppHash = androidAppHash
        self.undoAddress = undoAddress
        self.longestCode = longestCode
    }

    /// What the service is called in a message of this locale.
    func service(in locale: String) -> ServiceName {
        localNames[locale.prefix { $0 != "-" }.lowercased()] ?? service
    }

    /// The lines that follow the text. The line of the host has to be the last of a message, with nothing before its `@`
    /// and one space before the `#` (https://wicg.github.io/sms-one-time-codes/), so the hash of the app stands above it.
    func autofillLines(code: String) -> [String] {
        [androidAppHash?.description, webHost.map { "@\($0) #\(code)" }].compactMap(\.self)
    }
}
