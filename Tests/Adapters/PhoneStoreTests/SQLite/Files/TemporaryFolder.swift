import Foundation

@testable import PhoneStore

/// A folder of the test's own, which goes with it.
final class TemporaryFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(component: "phoneproof-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String {
        url.appending(component: name).path(percentEncoded: false)
    }

    /// To a new database here, for stores of which a test makes the parts.
    func connections() throws -> SQLiteStore.Connections {
        try SQLiteStore.Connections(path("phone.db"), migrating: true, busyTimeout: .milliseconds(20))
    }
}
