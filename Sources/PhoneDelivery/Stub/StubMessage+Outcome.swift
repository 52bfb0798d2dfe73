import PhoneDomain

extension StubMessage {
    /// How it fared; nil while it is on its way.
    var outcome: RecordReceipt.Outcome? {
        switch status {
        case .delivered: .delivered
        case .undelivered, .failed: .undelivered(code: errorCode)
        case .canceled: .undelivered(code: nil)
        case .accepted, .scheduled, .queued, .sending, .sent: nil
        }
    }
}
