public import PhoneDomain
import Synchronization

/// Records the context of each operation that has one.
public final class RecordingObserver: UseCaseObserver {
    private let seen = Mutex<[(VerificationUseCase.Operation, RequestContext)]>([])

    public init() {}

    /// The operations so far with the address of the client, such as `check 203.0.113.7`.
    public var calls: [String] {
        seen.withLock { $0.map { "\($0.rawValue) \($1.address?.description ?? "-")" } }
    }

    public var contexts: [RequestContext] { seen.withLock { $0.map(\.1) } }

    public func observe<Value>(
        _ operation: VerificationUseCase.Operation,
        by context: RequestContext?,
        _ work: () async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value {
        if let context { seen.withLock { $0.append((operation, context)) } }
        return try await work()
    }

    public func record(_ failure: PhoneFailure, of operation: VerificationUseCase.Operation) {}
}
