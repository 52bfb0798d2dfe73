import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The longest body that is read, in bytes.
    static let longestBody = 65_536

    /// The whole body.
    ///
    /// - Throws: ``Problem``, if it is too long, whether or not its length was announced, or breaks off.
    func collectBody() async throws -> ByteBuffer {
        if let announced = headers[.contentLength].flatMap({ Int($0) }), announced > Self.longestBody {
            throw Self.bodyTooLarge
        }
        do {
            return try await body.collect(upTo: Self.longestBody)
        } catch is NIOTooManyBytesError {
            throw Self.bodyTooLarge
        } catch {
            throw Problem.malformed("The body breaks off or is not framed as HTTP has it.")
        }
    }

    /// Whether the body is said to be of this media type (RFC 9110 section 8.3.1), or nil if nothing is said of it.
    func isContent(_ mediaType: String) -> Bool? {
        headers[.contentType].map { field in
            let essence = field.prefix { $0 != ";" }
            return essence.trimmingSpaces.lowercased() == mediaType
        }
    }

    static let bodyTooLarge = Problem(
        .bodyTooLarge,
        "The body has more than \(longestBody) bytes; nothing that is asked for here is so long."
    )
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start.prefix(0) }
        return start[...end]
    }
}
