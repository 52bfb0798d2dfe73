import Glibc
import HangLimit
import Testing

@testable import PhoneCLI

@Suite(.hangLimit) struct DescriptorReaderTests {
    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test("gives what was written, and nil at the end")
    func reads() async throws {
        let pipe = try makePipe()
        defer { close(pipe.read) }
        let reader = DescriptorReader(pipe.read)
        async let first = reader.read()
        _ = write(pipe.write, "ab", 2)
        #expect(await first == Array("ab".utf8))
        close(pipe.write)
        #expect(await reader.read() == nil)
        #expect(await reader.read() == nil)
    }

    @Test("a read that is cancelled ends although nothing comes")
    func cancelled() async throws {
        let pipe = try makePipe()
        defer {
            close(pipe.read)
            close(pipe.write)
        }
        let reader = DescriptorReader(pipe.read)
        let reading = Task { await reader.read() }
        reading.cancel()
        #expect(await reading.value == nil)
        #expect(await reader.read() == nil)
    }
}
