import PhoneDomain
import Synchronization

/// Accepts what is signed with ``rightSignature``, and keeps all reports.
final class PlainReportIntake: ReportIntake {
    static let rightSignature = "cmlnaHQ="

    struct Outage: Error {}

    let signatureHeader: String? = "X-Twilio-Signature"

    private let state = Mutex((reports: [GatewayReport](), fault: (any Error)?.none))

    /// The fields of every report, accepted or not.
    var reports: [[GatewayReport.Field]] { state.withLock { $0.reports.map(\.fields) } }

    func fail(with fault: any Error = Outage()) {
        state.withLock { $0.fault = fault }
    }

    func take(_ report: GatewayReport) async throws -> Bool {
        let fault = state.withLock { state in
            state.reports.append(report)
            return state.fault
        }
        guard report.signature == Self.rightSignature else { return false }
        if let fault { throw fault }
        return true
    }
}
