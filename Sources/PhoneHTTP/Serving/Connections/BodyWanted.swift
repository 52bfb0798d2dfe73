/// The outbound event that says that somebody is about to read the body of a request, whose client may hold it back until
/// then (`Expect: 100-continue`).
struct BodyWanted: Sendable {}
