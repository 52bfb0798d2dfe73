import Foundation
public import Testing

/// How large tests are.
public enum TestSize {
    /// Whether they have all of their size, as with `scripts/test --full`, or only as much as every change must pass.
    public static let isFull = ProcessInfo.processInfo.environment["PHONEPROOF_TESTS"] == "full"
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, after 20 minutes.
    ///
    /// For tests that wait for what a defect would keep from coming. It measures nothing: all tests of a run begin
    /// together, so that the time of each is nearly that of the whole run, which is three minutes on a quiet machine of
    /// two cores and three times that on a busy one.
    public static var hangLimit: Self { .timeLimit(.minutes(20)) }
}
