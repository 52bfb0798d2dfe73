import OpenSSLCrypto
import PhoneDomain
import Testing

/// Whether every code is equally likely, by Pearson's chi-square test.
@Suite struct CodeDistributionTests {
    /// Codes counted by the digit at each position and by their first and last three digits.
    struct Counts {
        var digits = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 6)
        var firstThree = [Int](repeating: 0, count: 1000)
        var lastThree = [Int](repeating: 0, count: 1000)

        init(of count: Int, from random: any RandomBytes) throws {
            let vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()), random: random)
            for _ in 0..<count {
                var number = 0
                for (position, digit) in try vault.makeCode(length: 6).digits.utf8.enumerated() {
                    let value = Int(digit - UInt8(ascii: "0"))
                    digits[position][value] += 1
                    number = number * 10 + value
                }
                firstThree[number / 1000] += 1
                lastThree[number % 1000] += 1
            }
        }

        static func chiSquare(_ counts: [Int]) -> Double {
            let expected = Double(counts.reduce(0, +)) / Double(counts.count)
            return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        }
    }

    @Test func `a million codes of a known source are spread evenly`() throws {
        let counts = try Counts(of: 1_000_000, from: SeededRandom(seed: 20_260_127))
        // Even codes exceed these with a probability of 1e-3; byte % 10 without rejection gives some 366.
        for position in counts.digits { #expect(Counts.chiSquare(position) < 27.88) }
        #expect(Counts.chiSquare(counts.firstThree) < 1142.85)
        #expect(Counts.chiSquare(counts.lastThree) < 1142.85)
    }

    @Test func `codes of OpenSSL are spread evenly`() throws {
        let counts = try Counts(of: 250_000, from: OpenSSLRandom())
        // Even codes exceed each of these with a probability of 1e-10, and one of the eight with 8e-10.
        for position in counts.digits { #expect(Counts.chiSquare(position) < 65.82) }
        #expect(Counts.chiSquare(counts.firstThree) < 1310.17)
        #expect(Counts.chiSquare(counts.lastThree) < 1310.17)
        #expect(isErrorQueueEmpty())
    }
}
