import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The whole body, which ends by itself where it gets too long: ``LimitedBody``.
    ///
    /// - Throws: ``Problem``, if it is too long, whether or not its length was announced, or breaks off.
    func collectBody() async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: .max)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem.malformed("The body breaks off or is not framed as HTTP has it.")
        }
    }

    /// Whether the body is said to be of this media type (RFC 9110 section 8.3.1), or nil if nothing is said of it.
    func isContent(_ mediaType: String) -> Bool? {
        headers[.contentType].map { field in
            let essence = field.utf8.prefix { $0 != UInt8(ascii: ";") }
            return Substring(essence.trimmingSpaces).lowercased() == mediaType
        }
    }
}

extension Substring.UTF8View {
    fileprivate var trimmingSpaces: Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
        return start[...end]
    }
}
