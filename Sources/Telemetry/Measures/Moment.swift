import Synchronization

/// A short wait for what may take long.
enum Moment {
    /// Begins the work and returns when it is done or the time is over, whichever is first; the work goes on.
    static func waiting(atMost patience: Duration, for work: @escaping @Sendable () async -> Void) async {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(continuation)
            let limit = Task {
                try? await Task.sleep(for: patience)
                waiter.resume()
            }
            Task {
                await work()
                limit.cancel()
                waiter.resume()
            }
        }
    }

    private final class Waiter: Sendable {
        private let continuation: Mutex<CheckedContinuation<Void, Never>?>

        init(_ continuation: CheckedContinuation<Void, Never>) {
            self.continuation = Mutex(continuation)
        }

        func resume() {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume()
        }
    }
}
