import PhoneDomain
import Synchronization

/// Accepts what is signed with ``rightSignature``, and keeps all reports.
final class PlainReportIntake: ReportIntake {
    static let rightSignature = "cmlnaHQ="

    struct Outage: Error {}

    let signatureHeader: String? = "X-Twilio-Signature"

    private let state = Mutex((reports: [GatewayReport](), isDown: false))

    /// The fields of every report, accepted or not.
    var reports: [[GatewayReport.Field]] { state.withLock { $0.reports.map(\.fields) } }

    func fail() {
        state.withLock { $0.isDown = true }
    }

    func take(_ report: GatewayReport) async throws -> Bool {
        let isDown = state.withLock { state in
            state.reports.append(report)
            return state.isDown
        }
        guard report.signature == Self.rightSignature else { return false }
        if isDown { throw Outage() }
        return true
    }
}
