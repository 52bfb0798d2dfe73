import Glibc
import OpenSSLCrypto
package import PhoneAdministration
import PhoneHTTP
package import PhoneSignup
import PhoneStore

/// What a service needs of its machine for as long as it runs: room on the disk, a valid certificate, its keys. The
/// running service looks at it again and again, so it costs next to nothing.
package struct MachineCheck {
    private let settings: Settings
    private let now: Timestamp
    private let isServing: Bool

    /// - Parameter isServing: whether this process has made what was not there before its start.
    package init(_ settings: Settings, isServing: Bool = false, at now: Timestamp) {
        (self.settings, self.isServing, self.now) = (settings, isServing, now)
    }

    /// What is not fine.
    package var faults: [Finding] { [disk, certificate, keys].compactMap(\.self).filter { $0.verdict != .fine } }

    /// Nil if the database is on no disk of this machine.
    package var disk: Finding? {
        guard case .file(let link) = settings.database.place else { return nil }
        let folder = DataFolder(of: SQLiteStore.file(at: link))
        guard let space = folder.space else { return nil }
        let room = "\(space.free / 1_000_000) MB free in \(folder.path), \(space.percent) %"
        // Less than a page and its log: nothing can be written.
        let isFull = space.free < 65_536
        let text = isFull ? "full: requests fail with 503 (\(room))" : room
        // A write-ahead log alone may have 32 MB, and VACUUM needs as much as the file has.
        let isShort = space.free < 1_000_000_000 || space.percent < 10
        let verdict: Finding.Verdict = space.free < 100_000_000 ? .failed : isShort ? .doubtful : .fine
        guard verdict != .fine else { return Finding("disk", text) }
        return Finding(
            "disk",
            verdict,
            text,
            kind: .disk,
            advice: isFull ? "make room" : "make room, or requests fail with 503"
        )
    }

    /// Nil without one.
    package var certificate: Finding? {
        guard let files = settings.server.tls?.files else { return nil }
        let identity: TLSIdentity
        do {
            identity = try files.load().identity
        } catch {
            let advice = "put the right files there: without them the service does not start again"
            return Finding("certificate", .failed, "\(error)", kind: .certificate, advice: advice)
        }
        if let doubt = identity.doubt(at: now) {
            let advice = "renew it; the service reloads the file by itself"
            return Finding("certificate", .failed, doubt, kind: .certificate, advice: advice)
        }
        let days = (identity.validUntil - now).wholeDays
        let text = "\(files.certificate) matches its key and is valid until \(identity.validUntil), for \(days) days"
        guard days < Self.fewDays else { return Finding("certificate", text) }
        return Finding("certificate", .doubtful, text, kind: .certificate, advice: "see why it was not renewed")
    }

    /// Programs that renew certificates do so a month before their end.
    private static let fewDays = 14

    /// Nil if they are fine, and where they are in memory or not made yet.
    private var keys: Finding? {
        guard let path = try? settings.keyPath() else { return nil }
        guard access(path, F_OK) == 0 else {
            guard isServing else { return nil }
            let advice = "put back a copy: after a restart the service could check none of its codes"
            return Finding("keys", .failed, "\(path) is gone", kind: .keys, advice: advice)
        }
        do {
            _ = try KeyRing.load(from: path)
            return nil
        } catch {
            let advice = "mend the file, or put back a copy: without it the service does not start again"
            return Finding("keys", .failed, "\(error)", kind: .keys, advice: advice)
        }
    }
}
