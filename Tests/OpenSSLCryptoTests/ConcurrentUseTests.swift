import OpenSSLCrypto
import PhoneDomain
import Testing

@Suite struct ConcurrentUseTests {
    @Test func `one vault serves many tasks at once, each with its own codes`() async throws {
        let vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()))
        let tokens = OpenSSLTokenVault()
        let random = OpenSSLRandom()
        let failures = try await withThrowingTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    var failures = 0
                    for round in 0..<500 {
                        let context = CodeContext(
                            verificationID: try random.makeIdentifier(),
                            e164: "+8210\(10_000_000 + task * 500 + round)"
                        )
                        let other = CodeContext(verificationID: try random.makeIdentifier(), e164: context.e164)
                        let code = try vault.makeCode(length: 4 + round % 7)
                        let sealed = try vault.seal(code, for: context)
                        let token = try tokens.makeToken(prefix: "su_")
                        if try !vault.matches(code, sealed, for: context) { failures += 1 }
                        if try vault.matches(code, sealed, for: other) { failures += 1 }
                        if try vault.open(sealed, for: context) != code { failures += 1 }
                        if (try? vault.open(sealed, for: other)) != nil { failures += 1 }
                        if try !tokens.matches(token, digest: tokens.digest(of: token)) { failures += 1 }
                        if !isErrorQueueEmpty() { failures += 1 }
                    }
                    return failures
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(failures == 0)
    }
}
