import Glibc
import SystemPackage

/// What the kernel knows of its clock (adjtimex(2)).
package struct KernelClock {
    package let isSynchronized: Bool
    package let largestError: Duration

    /// Nil where it cannot be asked.
    package init?() {
        typealias Function = @convention(c) (UnsafeMutableRawPointer) -> CInt
        // Not in Swift's module of glibc. Of `struct timex` only the beginning is read: modes, which is 0 to ask only,
        // offset, freq, maxerror and esterror in microseconds, and status.
        guard let symbol = dlsym(nil, "adjtimex"), MemoryLayout<Int>.size == 8 else { return nil }
        let answer = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 16)
        defer { answer.deallocate() }
        answer.initializeMemory(as: UInt8.self, repeating: 0, count: 512)
        let state = unsafeBitCast(symbol, to: Function.self)(answer)
        guard state >= 0 else { return nil }
        let (timeError, unsynchronized): (CInt, CInt) = (5, 0x40)
        isSynchronized = state != timeError && answer.load(fromByteOffset: 40, as: CInt.self) & unsynchronized == 0
        largestError = .microseconds(answer.load(fromByteOffset: 24, as: Int.self))
    }
}

/// The folder of a database, or the nearest one above that there is.
package struct DataFolder {
    package let path: String

    package init(of file: String) {
        var folder = FilePath(file).removingLastComponent()
        while !folder.isEmpty, access(folder.string, F_OK) != 0 { folder.removeLastComponent() }
        path = folder.isEmpty ? "." : folder.string
    }

    /// What is left for programs that are not root's.
    package var space: (free: Int, percent: Int)? {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
        return (Int(status.f_bavail * status.f_frsize), Int(status.f_bavail * 100 / status.f_blocks))
    }

    /// How long it takes until a page is on the disk, shortest first, in a file without a name; nil if none can be
    /// written.
    package func flushTimes() -> [Duration]? {
        var name = Array("\(path)/.phoneproof-doctor-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else { return nil }
        unlink(name)
        defer { close(file) }
        let page = [UInt8](repeating: 1, count: 4096)
        var times: [Duration] = []
        // The first one makes the file.
        for index in 0...20 {
            let start = ContinuousClock.now
            guard pwrite(file, page, page.count, off_t(index * page.count)) == page.count, fdatasync(file) == 0 else {
                return nil
            }
            if index > 0 { times.append(.now - start) }
        }
        return times.sorted()
    }
}
