/// An operation did something else than it is measured for.
struct UnexpectedOutcome: Error {}
