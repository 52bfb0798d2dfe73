import Foundation

/// Runs `body` on `count` threads of its own at once, and returns when all have ended. Tasks would not do: with all tests
/// at work on the few threads of the pool, they mostly run one after another.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for thread in 0..<count {
            group.addTask {
                await withCheckedContinuation { ended in
                    Thread.detachNewThread {
                        body(thread)
                        ended.resume()
                    }
                }
            }
        }
    }
}
