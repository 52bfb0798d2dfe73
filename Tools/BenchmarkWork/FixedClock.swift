import PhoneDomain
import PhoneSignup

/// Time that stands still, so that each operation is the same as the one before.
struct FixedClock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: 1_795_320_992) }
}
