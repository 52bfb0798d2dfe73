#if os(Linux)
import Glibc
import Reactive
import Testing

@Suite(.serialized) struct ResidentSizeTests {
    /// A million chains of which each leaked but its smallest object, 32 bytes, would add 32 MB. The bound leaves room for
    /// the tests that run at the same time.
    @Test func aMillionChainsLeaveTheResidentSizeFlat() throws {
        let recorder = Recorder<Int>()
        for element in 0..<100_000 {
            Self.runOneChain(element, into: recorder)
        }
        let before = try residentBytes()
        for element in 0..<1_000_000 {
            Self.runOneChain(element, into: recorder)
        }
        let growth = try residentBytes() - before
        #expect(recorder.history == [499_999, 999_999])
        #expect(growth < 16 << 20)
    }

    @Test func aMillionSubscriptionsLeaveTheirRelayAsItWas() throws {
        let relay = PublishRelay<Int>()
        let steady = relay.asObservable().subscribe { _ in }
        for _ in 0..<100_000 {
            relay.asObservable().subscribe { _ in }.dispose()
        }
        let before = try residentBytes()
        for _ in 0..<1_000_000 {
            relay.asObservable().subscribe { _ in }.dispose()
        }
        #expect(try residentBytes() - before < 16 << 20)
        steady.dispose()
    }

    private static func runOneChain(_ element: Int, into recorder: Recorder<Int>) {
        let tap = PublishRelay<Int>()
        let text = BehaviorRelay(value: 0)
        let bag = DisposeBag()
        tap.asObservable()
            .withLatestFrom(text.asObservable()) { $1 }
            .map { $0 + 1 }
            .filter { $0 % 500_000 == 0 }
            .subscribe { _ in recorder.record(element) }
            .disposed(by: bag)
        text.accept(element)
        tap.accept(element)
    }

    /// The second field of statm, in pages: https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
    private func residentBytes() throws -> Int {
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
