/// What a message bears besides its code: who sends it, and where the code may be filled in without typing.
public struct MessageContext: Sendable, Equatable {
    /// Who sends the message.
    public let service: ServiceName

    /// The website that a browser may fill the code into, if any.
    public let webHost: WebHost?

    /// The Android app that may read the code from the message, if any.
    public let androidAppHash: AndroidAppHash?

    /// A context; without host and hash the message has no lines but those of its template.
    public init(service: ServiceName, webHost: WebHost? = nil, androidAppHash: AndroidAppHash? = nil) {
        self.service = service
        self.webHost = webHost
        self.androidAppHash = androidAppHash
    }

    /// The lines that follow the text. The line of the host has to be the last of a message, with nothing before its `@`
    /// and one space before the `#` (https://wicg.github.io/sms-one-time-codes/), so the hash of the app stands above it.
    func autofillLines(code: String) -> [String] {
        [androidAppHash?.description, webHost.map { "@\($0) #\(code)" }].compactMap(\.self)
    }
}
