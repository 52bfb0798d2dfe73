/// Where identifiers come from.
public protocol IdentifierSource: Sendable {
    /// 128 bits that nobody can guess, since 80 of them at least are random, and that never come twice.
    ///
    /// - Throws: if the random source fails; there is then no identifier, rather than a weak one.
    func makeBits() throws -> (UInt64, UInt64)
}

extension IdentifierSource {
    /// A new identifier of the kind that is asked for.
    ///
    /// - Throws: what ``makeBits()`` throws.
    public func makeIdentifier<Subject>(of subject: Subject.Type = Subject.self) throws -> Identifier<Subject> {
        let (high, low) = try makeBits()
        return Identifier(bits: high, low)
    }
}
