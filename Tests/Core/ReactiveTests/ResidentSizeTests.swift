#if os(Linux)
import Glibc
import Reactive
import Testing

/// Each runs in a process of its own, where no other test's memory comes into the account.
///
/// A million of something of which each leaked but its smallest object, 32 bytes, would add 32 MB; the bound is a
/// quarter.
@Suite struct ResidentSizeTests {
    @Test func aMillionChainsLeaveTheResidentSizeFlat() async {
        await #expect(processExitsWith: .success) {
            let recorder = Recorder<Int>()
            for element in 0..<100_000 {
                Self.runOneChain(element, into: recorder)
            }
            let before = try Self.residentBytes()
            for element in 0..<1_000_000 {
                Self.runOneChain(element, into: recorder)
            }
            #expect(recorder.history == [499_999, 999_999])
            #expect(try Self.residentBytes() - before < 8 << 20)
        }
    }

    @Test func aMillionSubscriptionsLeaveTheirRelayAsItWas() async {
        await #expect(processExitsWith: .success) {
            let relay = PublishRelay<Int>()
            let steady = relay.asObservable().subscribe { _ in }
            for _ in 0..<100_000 {
                relay.asObservable().subscribe { _ in }.dispose()
            }
            let before = try Self.residentBytes()
            for _ in 0..<1_000_000 {
                relay.asObservable().subscribe { _ in }.dispose()
            }
            #expect(try Self.residentBytes() - before < 8 << 20)
            steady.dispose()
        }
    }

    private static func runOneChain(_ element: Int, into recorder: Recorder<Int>) {
        let tap = PublishRelay<Int>()
        let text = BehaviorRelay(value: 0)
        let bag = DisposeBag()
        tap.asObservable()
            .withLatestFrom(text.asObservable()) { $1 }
            .map { $0 + 1 }
            .subscribe { if $0 % 500_000 == 0 { recorder.record(element) } }
            .disposed(by: bag)
        text.accept(element)
        tap.accept(element)
    }

    /// The second field of statm, in pages: https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
    private static func residentBytes() throws -> Int {
        let file = try #require(fopen("/proc/self/statm", "r"))
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        try #require(fgets(&line, Int32(line.count), file) != nil)
        let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self).split(separator: " ")
        let pages = try #require(Int(fields[1]))
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
#endif
