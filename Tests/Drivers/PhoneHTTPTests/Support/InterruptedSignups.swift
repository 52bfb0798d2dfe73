import PhoneDomain
import PhoneStore
import PhoneTestSupport

/// A store in which another request changes a signup right after it is read.
struct InterruptedSignups: SignupStore {
    let store: MemoryStore
    let interruption: @Sendable (inout Signup) -> Void

    func begin(_ command: BeginSignup) async throws { try await store.begin(command) }

    func signup(_ id: Signup.ID) async throws -> Signup? {
        let found = try await store.signup(id)
        _ = try await store.update(id, interruption)
        return found
    }

    func update(
        _ id: Signup.ID,
        within limits: TakeLimits,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? { try await store.update(id, within: limits, change) }
}
