import Glibc
import ServiceLifecycle

/// Gives memory back to the system that is not used any more.
///
/// glibc gives back by itself only what lies at the end of a heap; one small thing that is kept there keeps all of it. After
/// a flood of connections the process would stay as large as it was at its worst, for ever.
struct MemoryService: Service {
    /// Often enough that a flood is over for the machine within a minute. Where there is little to give back it takes less
    /// than a millisecond.
    private static let interval: Duration = .seconds(20)

    /// Not in Swift's module of glibc, and not there at all with another C library.
    private static let trim = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { _ = Self.trim?(0) }
        }
    }
}
