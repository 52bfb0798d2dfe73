import CSQLite
import Foundation
import PhoneTestSupport
import StoreSuite
import Synchronization

/// The disk below one folder as SQLite sees it, on which the change that a test chooses fails, alone or with all after it.
/// When the power is gone too (``afterCut(_:)``), what was flushed is left, and of the rest what a seed keeps, drops, or
/// tears at a sector.
///
/// These are SQLite's own files (https://www.sqlite.org/vfs.html), with their ways to write, truncate, flush and delete
/// exchanged for ones that remember. A flush goes no further, so that a day takes no longer than it must.
final class ForgetfulDisk: Sendable {
    private enum Style: CaseIterable { case all, none, prefix, any }

    private enum Change {
        case write(at: Int, [UInt8])
        case truncate(to: Int)

        func apply(to content: inout [UInt8]) {
            let (start, bytes) =
                switch self {
                case .write(let offset, let bytes): (offset, bytes)
                case .truncate(let size): (size, [])
                }
            let end = start + bytes.count
            if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
            if case .truncate = self { content.removeSubrange(end...) }
            content.replaceSubrange(start..<end, with: bytes)
        }

        /// What a disk writes whole.
        var sectors: [Change] {
            guard case .write(let offset, let bytes) = self else { return [self] }
            var (pieces, start): ([Change], Int) = ([], 0)
            while start < bytes.count {
                let end = min(bytes.count, start + 512 - (offset + start) % 512)
                pieces.append(.write(at: offset + start, Array(bytes[start..<end])))
                start = end
            }
            return pieces
        }
    }

    private struct File {
        /// A change that a failed flush gave up is not made certain by another.
        enum Fate { case open, flushed, givenUp }

        var content: [UInt8] = []
        /// What was done since, in order.
        var pending: [(change: Change, fate: Fate)] = []
        /// Whether it has its name for certain.
        var isNamed = false

        mutating func flush(_ fate: Fate) {
            for index in pending.indices where pending[index].fate == .open { pending[index].fate = fate }
            let certain = pending.prefix { $0.fate == .flushed }
            for change in certain.map(\.change) { change.apply(to: &content) }
            pending.removeFirst(certain.count)
        }

        /// Its content after a cut.
        func left(_ style: Style, _ dice: inout SplitMix64) -> [UInt8] {
            var content = content
            let stop = Int.random(in: 0...pending.count, using: &dice)
            for (index, (change, fate)) in pending.enumerated() {
                let isKept =
                    switch style {
                    case .all: true
                    case .none: false
                    case .prefix: index < stop
                    case .any: Bool.random(using: &dice)
                    }
                if fate == .flushed || isKept {
                    change.apply(to: &content)
                } else if style == .any, Bool.random(using: &dice) {
                    for sector in change.sectors where Bool.random(using: &dice) { sector.apply(to: &content) }
                }
            }
            return content
        }
    }

    private struct State {
        var files: [String: File] = [:]
        /// Those whose removal is not certain yet.
        var removed: [String: File] = [:]
        var plan: (changes: Int, failure: DiskFailure, isForGood: Bool)?
        var hasFailed = false

        /// Whether, and how, the change that comes now fails.
        mutating func failure() -> DiskFailure? {
            guard let plan else { return nil }
            guard plan.changes == 0 else {
                self.plan?.changes -= 1
                return nil
            }
            hasFailed = true
            if !plan.isForGood { self.plan = nil }
            return plan.failure
        }
    }

    let folder: String
    /// Whether its flushes are ones; a test plants the fault that they are none.
    private let flushes: Bool
    private let state = Mutex(State())

    init(folder: String, flushes: Bool = true) throws {
        _ = Self.isRegistered
        (self.folder, self.flushes) = (folder, flushes)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        Self.disks.withLock { $0[folder] = self }
    }

    func end() { Self.disks.withLock { $0[folder] = nil } }

    /// Has the change after so many fail, and all after it if that is for good.
    func fail(after changes: Int, _ failure: DiskFailure = .inputOutput, isForGood: Bool = true) {
        state.withLock { $0.plan = (changes, failure, isForGood) }
    }

    /// Whether any change has failed since ``heal()``.
    var hasFailed: Bool { state.withLock(\.hasFailed) }

    func heal() { state.withLock { ($0.plan, $0.hasFailed) = (nil, false) } }

    /// A disk with what a power cut leaves now, below a new folder beside this one, which is not to be used any more.
    func afterCut(_ seed: UInt64) throws -> ForgetfulDisk {
        var dice = SplitMix64(seed: seed)
        let style = Bool.random(using: &dice) ? Style.any : Style.allCases.randomElement(using: &dice) ?? .any
        let next = try ForgetfulDisk(folder: folder + "+", flushes: flushes)
        let (files, removed) = state.withLock { ($0.files, $0.removed) }
        for name in Set(files.keys).union(removed.keys).sorted() {
            let (file, before) = (files[name], removed[name])
            let isNew = file?.isNamed == true || Bool.random(using: &dice)
            guard let kept = isNew ? file : before else { continue }
            let content = kept.left(style, &dice)
            try Data(content).write(to: URL(filePath: "\(next.folder)/\(name)"))
            next.state.withLock { $0.files[name] = File(content: content, isNamed: true) }
        }
        end()
        return next
    }

    // MARK: - What SQLite asks of it

    private func opened(_ name: String) { state.withLock { if $0.files[name] == nil { $0.files[name] = File() } } }

    private func write(_ name: String, at offset: Int, _ bytes: UnsafeRawBufferPointer, _ real: (Int) -> CInt) -> CInt {
        let (failure, count) = state.withLock { state -> (DiskFailure?, Int) in
            let failure = state.failure()
            let count = failure == nil ? bytes.count : failure == .shortWrite ? bytes.count / 2 : 0
            if count > 0 {
                state.files[name]?.pending.append((.write(at: offset, Array(bytes.prefix(count))), .open))
            }
            return (failure, count)
        }
        let code = count > 0 ? real(count) : SQLITE_OK
        return failure.map { $0 == .inputOutput ? SQLITE_IOERR : SQLITE_FULL } ?? code
    }

    private func flush(_ name: String) -> CInt {
        state.withLock { state in
            let failure = state.failure()
            guard flushes || failure != nil else { return SQLITE_OK }
            state.files[name]?.flush(failure == nil ? .flushed : .givenUp)
            guard failure == nil else { return SQLITE_IOERR }
            // With the first flush of a new log SQLite flushes the folder too, which has the names of all.
            if state.files[name]?.isNamed == false {
                for name in state.files.keys { state.files[name]?.isNamed = true }
                state.removed = [:]
            }
            return SQLITE_OK
        }
    }

    /// Any other change.
    private func change(_ made: (inout State) -> Void, _ real: () -> CInt) -> CInt {
        let isDone = state.withLock { state in
            guard state.failure() == nil else { return false }
            made(&state)
            return true
        }
        return isDone ? real() : SQLITE_IOERR
    }

    // MARK: - The way in

    /// A file that SQLite has open, by the address of SQLite's own record of it.
    private struct Open: Sendable {
        let disk: ForgetfulDisk
        let name: String
        /// Where the functions of the real file are.
        let methods: UInt

        var real: sqlite3_io_methods {
            UnsafePointer<sqlite3_io_methods>(bitPattern: methods).unsafelyUnwrapped.pointee
        }
    }

    private static let disks = Mutex<[String: ForgetfulDisk]>([:])
    private static let files = Mutex<[UInt: Open]>([:])

    private static func find(_ path: UnsafePointer<CChar>?) -> (disk: ForgetfulDisk, name: String)? {
        guard let path = path.map({ String(cString: $0) }), let slash = path.lastIndex(of: "/") else { return nil }
        return disks.withLock { $0[String(path[..<slash])] }.map { ($0, String(path[path.index(after: slash)...])) }
    }

    private static func open(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Open {
        files.withLock { $0[UInt(bitPattern: file)] }.unsafelyUnwrapped
    }

    /// Made the default of the process once: files elsewhere stay as they are.
    private static let isRegistered: Bool = {
        guard let unix = sqlite3_vfs_find(nil) else { return false }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: unix.pointee)
        (own.pointee.pNext, own.pointee.zName) = (nil, UnsafePointer(strdup("forgetful")))
        own.pointee.xOpen = { vfs, path, file, flags, result in
            let code = sqlite3_vfs_find("unix").pointee.xOpen(vfs, path, file, flags, result)
            guard code == SQLITE_OK, let (disk, name) = ForgetfulDisk.find(path), let file,
                let methods = file.pointee.pMethods
            else { return code }
            disk.opened(name)
            ForgetfulDisk.files.withLock {
                $0[UInt(bitPattern: file)] = Open(disk: disk, name: name, methods: UInt(bitPattern: methods))
            }
            file.pointee.pMethods = ForgetfulDisk.exchanged(methods)
            return code
        }
        own.pointee.xDelete = { vfs, path, isFlushed in
            let delete = { sqlite3_vfs_find("unix").pointee.xDelete(vfs, path, isFlushed) }
            guard let (disk, name) = ForgetfulDisk.find(path) else { return delete() }
            return disk.change({ $0.removed[name] = $0.files.removeValue(forKey: name) }, delete)
        }
        return sqlite3_vfs_register(own, 1) == SQLITE_OK
    }()

    private static func exchanged(_ real: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
        let own = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        own.initialize(to: real.pointee)
        own.pointee.xWrite = { file, bytes, count, offset in
            let open = ForgetfulDisk.open(file)
            return open.disk.write(open.name, at: Int(offset), UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            {
                open.real.xWrite(file, bytes, CInt($0), offset)
            }
        }
        own.pointee.xTruncate = { file, size in
            let open = ForgetfulDisk.open(file)
            return open.disk.change(
                { $0.files[open.name]?.pending.append((.truncate(to: Int(size)), .open)) },
                { open.real.xTruncate(file, size) }
            )
        }
        own.pointee.xSync = { file, _ in
            let open = ForgetfulDisk.open(file)
            return open.disk.flush(open.name)
        }
        own.pointee.xClose = { file in
            let open = ForgetfulDisk.files.withLock { $0.removeValue(forKey: UInt(bitPattern: file)) }.unsafelyUnwrapped
            return open.real.xClose(file)
        }
        return UnsafePointer(own)
    }
}
