import PhoneDomain
import PhoneNumbers

/// Whom a rule for a prefix would concern, by the traffic of the last day.
public struct PrefixReach: Hashable, Sendable {
    /// Messages, and how many of them led to an approval.
    public let sent: Int
    public let approved: Int
    /// Whether it is a calling code, or the beginning of some: a whole country or more.
    public let coversCallingCode: Bool

    public init(sent: Int, approved: Int, coversCallingCode: Bool) {
        (self.sent, self.approved, self.coversCallingCode) = (sent, approved, coversCallingCode)
    }

    public var sentence: String {
        "It had \(counted(sent, "message")) in the last day, \(approved) of them approved."
    }
}

extension Administration {
    /// All of the traffic is looked at, a page at a time.
    public func reach(of prefix: String) async throws -> PrefixReach {
        guard GuardRule(prefix: prefix, action: .block, until: nil, createdAt: now) != nil else {
            throw AdministrationFailure.noPrefix
        }
        let (now, digits) = (now, prefix.dropFirst())
        let isWhole =
            NumberingPlans.callingCode(leading: digits) == String(digits)
            || NumberingPlans.callingCode(leading: digits) == nil
        var (sum, last) = ((sent: 0, approved: 0), TrafficKey?.none)
        repeat {
            let page = try await store.traffic(before: last, at: now, limit: 1000)
            for case (.prefix(let key), let traffic) in page.map({ ($0.key, $0.traffic) }) where key.hasPrefix(prefix) {
                let day = traffic.lastDay(at: now)
                sum = (sum.sent + day.sent, sum.approved + day.approved)
            }
            last = page.last?.key
        } while last != nil
        return PrefixReach(sent: sum.sent, approved: sum.approved, coversCallingCode: isWhole)
    }
}
