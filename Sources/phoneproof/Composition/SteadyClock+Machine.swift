import Glibc
import PhoneDomain

extension SteadyClock {
    /// The clock of the machine without its jumps.
    static func ofMachine() -> SteadyClock {
        // BOOTTIME and not MONOTONIC, which stands still while the machine sleeps (clock_gettime(2)).
        SteadyClock(SystemWallClock()) {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }
}
