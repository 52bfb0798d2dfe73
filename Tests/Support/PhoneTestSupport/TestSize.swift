import Foundation

/// How large tests are.
public enum TestSize {
    /// Whether they have all of their size, as with `scripts/test --full`, or only as much as every change must pass.
    public static let isFull = ProcessInfo.processInfo.environment["PHONEPROOF_TESTS"] == "full"
}
