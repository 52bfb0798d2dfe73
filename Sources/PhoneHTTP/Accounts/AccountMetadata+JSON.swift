import NIOCore
import PhoneDomain

extension AccountMetadata {
    /// The object.
    ///
    /// - Throws: ``Problem`` if the store kept something else: nothing else is ever handed to it.
    func value() throws(Problem) -> JSON {
        do {
            return try JSONParser.parse(ByteBuffer(string: json).readableBytesView)
        } catch {
            throw .internalError(cause: "the metadata of an account is no JSON")
        }
    }

    /// The object with these changes (RFC 7396).
    ///
    /// - Throws: ``PhoneFailure/invalidMetadata(_:)`` if it is too much with them.
    func merged(with patch: JSON) throws(PhoneFailure) -> AccountMetadata {
        let kept: JSON
        do throws(Problem) {
            kept = try value()
        } catch {
            throw .unavailable(cause: error.cause ?? error.detail)
        }
        let changed = kept.merged(with: patch)
        guard changed.depth <= Self.maxDepth else { throw .invalidMetadata(.tooDeep) }
        let text = String(buffer: changed.bytes)
        guard text.utf8.count <= Self.maxByteCount else { throw .invalidMetadata(.tooLong) }
        return AccountMetadata(json: text)
    }
}
