import Logging
import PhoneDomain

/// The log of one attempt: each line tells whose it is. Most attempts make no line, so what they would tell is put together only
/// for one that is wanted.
struct MessageLog: Sendable {
    private let logger: Logger
    private let claim: OutboxClaim

    init(_ claim: OutboxClaim, _ logger: Logger) {
        self.logger = logger
        self.claim = claim
    }

    /// - Parameter metadata: what the line tells besides the message.
    func log(
        _ level: Logger.Level,
        _ text: @autoclosure () -> Logger.Message,
        _ metadata: @autoclosure () -> Logger.Metadata = [:]
    ) {
        guard logger.logLevel <= level else { return }
        logger.log(level: level, text(), metadata: own.merging(metadata()) { $1 })
    }

    private var own: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "message.id": "\(claim.message.id)",
            "message.attempt": "\(claim.message.attempts)",
            "verification.id": "\(claim.verification.id)",
        ]
        if let recipient = claim.recipient { metadata["phone_number.masked"] = "\(recipient)" }
        if let change = claim.message.numberChangeID { metadata["number_change.id"] = "\(change)" }
        return metadata
    }
}
