/// Why a gateway cannot be made of a ``HTTPGatewayConfiguration``. No part of it quotes what may be secret.
public struct HTTPGatewayConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The setting to blame, as it is called below `sms.http`.
    public enum Field: String, Sendable {
        case headers, body, from, secret, idempotent
    }

    /// What is wrong with it.
    public enum Problem: Error, Hashable, Sendable {
        /// A gap is not closed.
        case unclosedVariable
        /// A gap is for something that there is not.
        case unknownVariable(String)
        /// With its gaps filled in, it cannot be read, or a value would not come through.
        case malformedBody(RequestFormat)
        /// The number or the text is missing.
        case missing(String)
        /// It is used and not set.
        case notSet
        /// It is set and not used.
        case notUsed
        /// It is no header, or one that is not for configuration.
        case header
        /// It has characters that no header may bear.
        case characters
        /// Without the message's name nobody can tell a repetition.
        case needsID
    }

    /// The setting to blame.
    public let field: Field
    /// What is wrong with it.
    public let problem: Problem

    /// What must be, in half a sentence that goes on from the setting's name.
    public var description: String {
        let names = RequestVariable.allCases.map { "{{\($0.rawValue)}}" }.joined(separator: ", ")
        switch problem {
        case .unclosedVariable: return "has a {{ without its }}"
        case .unknownVariable(let name):
            return "has {{\(name.utf8.count > 40 ? "..." : name)}}, which there is not; there are \(names)"
        case .malformedBody(.json):
            return "must be JSON once its gaps are filled in, and each gap must stand within quotes"
        case .malformedBody(.form):
            return "must be a form (name=value&name=value), with everything percent-encoded that is not a gap"
        case .malformedBody(.xml):
            return "must be well-formed XML of elements, attributes and text once its gaps are filled in"
        case .malformedBody(.text): return "cannot be read"
        case .missing(let what): return "must have \(what)"
        case .notSet: return "is used by sms.http.headers or sms.http.body, and must be set"
        case .notUsed: return "is set, and neither sms.http.headers nor sms.http.body use it"
        case .header:
            return "must each be a name, a colon and a value in ASCII, each name once; not among them are Connection, "
                + "Content-Length, Expect, Host, TE, Trailer, Transfer-Encoding and Upgrade, nor {{body}} in any"
        case .characters: return "must be printable ASCII"
        case .needsID: return "needs {{id}} in sms.http.body or sms.http.headers"
        }
    }
}
