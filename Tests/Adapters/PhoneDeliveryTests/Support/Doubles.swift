import PhoneDomain
import PhoneSignup

@testable import PhoneDelivery

/// Signs by saying what is signed, but for the body.
struct PlainSigner: EventSigner {
    func signatures(id: EventID, seconds: Int64, body: [UInt8]) throws -> String {
        "v1,\(id).\(seconds).\(body.count)"
    }
}

/// A vault whose keys are gone.
struct LockedVault: CodeVault {
    struct NoSuchKey: Error {}

    func makeCode(length: Int) throws -> VerificationCode { throw NoSuchKey() }
    func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode { throw NoSuchKey() }
    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool {
        throw NoSuchKey()
    }
    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode { throw NoSuchKey() }
}

/// The store cannot be reached.
struct Outage: Error {}

/// Texts with everything that they were rendered from.
struct PlainRenderer: MessageRendering {
    func message(
        with code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) -> RenderedMessage {
        let body = "\(code.digits) in \(language), valid for \(remaining)"
        return RenderedMessage(body: body, locale: language.description)
    }

    func notice(undoneBy token: SecretToken, language: LanguageTag) -> String {
        "changed; undo by \(token.text) in \(language)"
    }
}

/// Fails with an error that quotes the code or the secret.
struct QuotingRenderer: MessageRendering {
    struct Refusal: Error {
        let quoted: String
    }

    func message(
        with code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) throws -> RenderedMessage {
        throw Refusal(quoted: code.digits)
    }

    func notice(undoneBy token: SecretToken, language: LanguageTag) throws -> String {
        throw Refusal(quoted: token.text)
    }
}

extension OutboxDispatcher {
    /// Sends what is due, until nothing is, by the steps that the loop takes when it is woken.
    ///
    /// - Throws: what the store throws when it is asked for messages.
    func drain() async throws {
        var isBusy = true
        while isBusy {
            _ = try await claimDue()
            await withDiscardingTaskGroup { tasks in isBusy = await startBatch(in: &tasks) }
        }
    }
}

extension WakeSignal {
    /// Waits until a condition is true whose every change wakes this signal.
    ///
    /// - Throws: `CancellationError`, which is how a test ends whose time is up.
    func until(_ condition: @Sendable () -> Bool) async throws {
        while true {
            let seen = count
            if condition() { return }
            try Task.checkCancellation()
            await wait(beyond: seen)
        }
    }
}

/// Does work while a loop runs, and waits for the loop's end.
func whileRunning(_ loop: @escaping @Sendable () async -> Void, _ work: () async throws -> Void) async throws {
    let running = Task { await loop() }
    defer { running.cancel() }
    try await work()
    running.cancel()
    await running.value
}

extension VerificationCode {
    static func of(_ digits: String) -> VerificationCode {
        // swift-format-ignore: NeverForceUnwrap
        VerificationCode(digits)!
    }
}
