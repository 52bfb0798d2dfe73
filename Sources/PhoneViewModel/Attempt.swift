import PhoneDomain

/// What came of something that was tried, and what it was tried with: streams do not fail, so a failure travels as a
/// value.
struct Attempt<Subject: Sendable, Value: Sendable>: Sendable {
    let subject: Subject
    let success: Indirect<Value>?
    let failure: PhoneFailure?

    init(_ subject: Subject, _ work: () async throws(PhoneFailure) -> Value) async {
        self.subject = subject
        do {
            success = Indirect(try await work())
            failure = nil
        } catch {
            success = nil
            failure = error
        }
    }
}
