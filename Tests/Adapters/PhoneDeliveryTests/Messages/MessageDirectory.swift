import Foundation

@testable import PhoneDelivery

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

/// What an operator reads of a directory of messages that does not load, with paths below it; nil if it loads.
///
/// - Parameter files: nil for the built-in texts alone.
func templateError(
    _ files: [String: String]?,
    _ context: MessageContext,
    defaultLocale: String = "en",
    allowsLongMessages: Bool = false
) throws -> String? {
    let directory = try files.map { try MessageDirectory($0) }
    do throws(MessageTemplateError) {
        _ = try MessageTemplates(
            directory: directory?.path,
            context: context,
            defaultLocale: defaultLocale,
            allowsLongMessages: allowsLongMessages
        )
        return nil
    } catch {
        guard let path = directory?.path else { return "\(error)" }
        return "\(error)".replacing("\(path)/", with: "").replacing(path, with: "")
    }
}
