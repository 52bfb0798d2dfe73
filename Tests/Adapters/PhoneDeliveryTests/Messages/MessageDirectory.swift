import Foundation

/// A directory of messages that lasts as long as the test that made it.
final class MessageDirectory {
    let path: String

    init(_ files: [String: String]) throws {
        path = try Self.write(files.mapValues { Data($0.utf8) })
    }

    init(bytes files: [String: [UInt8]]) throws {
        path = try Self.write(files.mapValues { Data($0) })
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func write(_ files: [String: Data]) throws -> String {
        let root = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for (file, content) in files {
            let url = root.appending(path: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try content.write(to: url)
        }
        return root.path
    }
}
