/// Identifiers in the order in which they are made: 48 bits of time in front, 80 random bits behind, as a UUID of version 7
/// has 74 (RFC 9562 section 5.7).
///
/// What is kept under identifiers without order lies wherever chance has it, so that each new row changes another page of
/// each index, and the older the database the fewer of these are in memory. In order, new rows lie side by side. 80 random
/// bits are too many to be guessed; when something was made can be read off its name.
public struct OrderedIdentifiers: IdentifierSource {
    private let random: any IdentifierSource
    private let clock: any WallClock

    /// Identifiers with the time of this clock and the random bits of that source.
    public init(random: any IdentifierSource, clock: any WallClock) {
        self.random = random
        self.clock = clock
    }

    /// The time in milliseconds in the first 48 bits, and 80 bits that nobody can guess.
    ///
    /// - Throws: what the source throws.
    public func makeBits() throws -> (UInt64, UInt64) {
        let (high, low) = try random.makeBits()
        return (UInt64(truncatingIfNeeded: clock.now().milliseconds) << 16 | high & 0xFFFF, low)
    }
}
