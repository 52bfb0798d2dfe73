/// Where the person is: a terminal, or a program at the other end of a pipe.
public protocol Terminal: Sendable {
    /// Whether the input comes from a terminal, key by key, rather than from a pipe or a file.
    var isInputTerminal: Bool { get }

    /// Whether the output goes to a terminal, which takes colours and lets a line be drawn anew.
    var isOutputTerminal: Bool { get }

    /// How many columns a line has at this moment, or nil if nobody knows.
    var width: Int? { get }

    /// The bytes that came in, as soon as there are any, in whatever portions; nil once there are no more to come.
    ///
    /// One read at a time. When its task is cancelled it returns nil, and so does every later one.
    func read() async -> [UInt8]?

    /// Writes to the output.
    func write(_ text: String)

    /// Writes to the error output.
    func writeError(_ text: String)

    /// From now on every key arrives at once, unechoed and without its usual effect (Ctrl-C is byte 3), and a paste
    /// comes between `ESC[200~` and `ESC[201~`.
    ///
    /// - Returns: whether the terminal can do that.
    func enterRawMode() -> Bool

    /// Puts the terminal back as it was; does nothing if it is so already.
    func leaveRawMode()
}

extension Terminal {
    /// What comes in, as a sequence that ends with the input.
    var input: AsyncStream<[UInt8]> {
        AsyncStream { await read() }
    }
}
