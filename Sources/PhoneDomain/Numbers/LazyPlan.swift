import Synchronization

/// A numbering plan that is made when it is first needed, once, by whichever thread comes first.
final class LazyPlan: Sendable {
    /// The plan, in a place where it can be used without being copied.
    final class Made: Sendable {
        let plan: NumberingPlan

        init(_ plan: NumberingPlan) {
            self.plan = plan
        }
    }

    let region: Region
    let callingCode: String
    private let reference = AtomicLazyReference<Made>()
    private let make: @Sendable () -> NumberingPlan

    /// A plan yet to be made.
    init(region: Region, callingCode: String, make: @escaping @Sendable () -> NumberingPlan) {
        self.region = region
        self.callingCode = callingCode
        self.make = make
    }

    /// A plan that exists.
    convenience init(_ plan: NumberingPlan) {
        self.init(region: plan.region, callingCode: plan.callingCode) { plan }
    }

    /// The plan. Threads that ask at the same time may each make it; all get the same one.
    var made: Made {
        reference.load() ?? reference.storeIfNil(Made(make()))
    }
}
