/// Why a signup cannot go on at all.
public enum SignupFlowError: Error, Hashable, Sendable {
    /// Nobody answers at this address; the reason is for whoever looks after the server.
    case unreachable(server: String, reason: String)
    /// Somebody answers there, but does not speak as PhoneProof does.
    case notUnderstood(server: String, status: Int)
    /// The server will not go on, in its own words.
    case refused(status: Int, detail: String)

    /// How the command ends.
    public var exitStatus: ExitStatus {
        switch self {
        case .unreachable, .notUnderstood: .unreachable
        case .refused(let status, _): status >= 500 ? .unreachable : .failed
        }
    }
}
