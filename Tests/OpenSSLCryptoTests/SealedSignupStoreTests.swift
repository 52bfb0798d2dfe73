import PhoneDomain
import PhoneTestSupport
import Synchronization
import Testing

@testable import OpenSSLCrypto

@Suite struct SealedSignupStoreTests {
    /// What lies behind: one signup, as it is kept.
    private final class OneSignup: SignupStore {
        let kept = Mutex<Signup?>(nil)

        func keep(_ signup: Signup) { kept.withLock { $0 = signup } }
        func begin(_ command: BeginSignup) { keep(command.signup) }
        func signup(_ id: Signup.ID) -> Signup? { kept.withLock { $0 } }
        func update(
            _ id: Signup.ID,
            within limits: TakeLimits,
            _ change: @escaping @Sendable (inout Signup) -> Void
        ) -> Signup? {
            kept.withLock { kept in
                guard var signup = kept else { return nil }
                change(&signup)
                kept = signup
                return signup
            }
        }

        var codeText: String? { kept.withLock { $0?.codeText } }
    }

    private let behind = OneSignup()
    private let vault: OpenSSLCodeVault
    private let store: SealedSignupStore

    init() throws {
        vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()))
        store = SealedSignupStore(behind, vault: vault)
    }

    private func signup(_ bits: UInt64 = 1, codeText: String) -> Signup {
        Signup(
            id: Signup.ID(bits: 0, bits),
            tokenDigest: [],
            region: .korea,
            language: .korean,
            createdAt: Timestamp(seconds: 0),
            expiresAt: Timestamp(seconds: 600),
            phoneText: "010-1234-5678",
            codeText: codeText,
            verificationID: nil
        )
    }

    @Test(arguments: ["1", "12", "314159", "0000000000"])
    func whatWasTypedComesBackAndIsNotKeptInClear(text: String) async throws {
        try await store.insert(signup(codeText: text))
        #expect(try await store.signup(Signup.ID(bits: 0, 1))?.codeText == text)
        let kept = try #require(behind.codeText)
        #expect(kept.utf8.count == 8 + 1 + 88)
        #expect(kept.contains(text) == false || text.utf8.count < 6)
    }

    @Test func anEmptyFieldIsKeptEmpty() async throws {
        try await store.insert(signup(codeText: ""))
        #expect(behind.codeText == "")
    }

    @Test func aChangeSeesTheTextAndIsSealedAgain() async throws {
        try await store.insert(signup(codeText: "12"))
        let before = behind.codeText
        let changed = try await store.update(Signup.ID(bits: 0, 1)) { $0.codeText += "34" }
        #expect(changed?.codeText == "1234")
        #expect(changed?.phoneText == "010-1234-5678")
        #expect(behind.codeText != before)
        #expect(try await store.signup(Signup.ID(bits: 0, 1))?.codeText == "1234")
    }

    @Test func whatChangesNothingIsKeptAsItIs() async throws {
        try await store.insert(signup(codeText: "12"))
        let before = behind.codeText
        #expect(try await store.update(Signup.ID(bits: 0, 1)) { $0.codeText = "12" }?.codeText == "12")
        #expect(behind.codeText == before)
    }

    @Test func aTextOfAnotherSignupOrUnderALostKeyIsNoText() async throws {
        let id = Signup.ID(bits: 0, 1)
        let sealed = try vault.seal(typed: "314159", for: id)
        #expect(try vault.open(typed: sealed, for: id) == "314159")
        #expect(throws: CodeVaultError.self) { try vault.open(typed: sealed, for: Signup.ID(bits: 0, 2)) }
        for altered in [
            "", ":", "zz", sealed + "0", sealed.dropLast(2) + (sealed.hasSuffix("00") ? "01" : "00"), "314159",
        ] {
            #expect(throws: CodeVaultError.self) { try vault.open(typed: String(altered), for: id) }
        }
        behind.keep(signup(2, codeText: sealed))
        #expect(try await store.signup(Signup.ID(bits: 0, 2))?.codeText == "")
        let other = SealedSignupStore(behind, vault: try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom())))
        behind.keep(signup(1, codeText: sealed))
        #expect(try await other.signup(id)?.codeText == "")
    }

    @Test func whatIsTooLongToBeACodeIsNotKept() async throws {
        try await store.insert(signup(codeText: "12345678901"))
        #expect(behind.codeText == "")
    }
}
