/// An act on what is stored, as a value. A store loads its ``State``, applies the command to it and keeps what it left,
/// in one transaction: no other command comes between.
public protocol Command: Sendable {
    /// What it reads and changes.
    associatedtype State
    associatedtype Answer: Sendable
    /// Why it may be refused; `Never` where it cannot be.
    associatedtype Refusal: Error = PhoneFailure

    /// Changes the state, which is kept even if the command is refused: what it has counted stays counted. If this
    /// throws, nothing is kept. It has no side effects, since a store may call it again after a conflict.
    func apply(to state: inout State) throws -> Result<Answer, Refusal>
}

/// Called once with the result of an operation, on any thread, which it must not block. Where the caller is no task, that
/// takes no task either.
public typealias Callback<Value> = @Sendable (Result<Value, any Error>) -> Void
