/// The keys that codes are sealed under, the newest first. New codes are sealed under the newest; the older ones still
/// open the codes in flight when it came, so a key may be removed once the last of them has expired.
///
/// As text, each line is an id and a key of 32 bytes in hexadecimal or base64; lines that begin with `#` are comments.
public struct KeyRing: Sendable {
    /// Never empty, and no two have an id in common.
    let keys: [MasterKey]

    /// The ids of the keys, the newest first. They are no secret.
    public var ids: [String] { keys.map(\.id) }

    /// A ring of one new key, which is kept nowhere else.
    ///
    /// - Throws: what the random source throws.
    public init(newKeyFrom random: some RandomBytes) throws {
        keys = [try MasterKey(from: random)]
    }

    /// Reads keys that are held in text, such as an environment variable.
    ///
    /// - Parameters:
    ///   - text: a line for each key, the newest first.
    ///   - source: what to call the text in errors.
    /// - Throws: ``KeyRingError``.
    public init(parsing text: String, source: String = "keys") throws {
        var text = text
        self = try text.withUTF8 { try KeyRing(parsing: $0, source: source) }
    }

    init(parsing text: UnsafeBufferPointer<UInt8>, source: String) throws(KeyRingError) {
        var keys: [MasterKey] = []
        for line in KeyLine.lines(of: text) {
            do throws(KeyRingError.Problem) {
                let key = try line.key()
                if keys.contains(where: { $0.id == key.id }) { throw KeyRingError.Problem.repeatedID(key.id) }
                keys.append(key)
            } catch {
                throw KeyRingError(source, line: line.number, error)
            }
        }
        guard !keys.isEmpty else { throw KeyRingError(source, .noKeys) }
        self.keys = keys
    }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
    /// The ids, without the keys.
    public var description: String { "keys \(ids.joined(separator: ", "))" }
    public var customMirror: Mirror { Mirror(self, children: ["ids": ids]) }
}
