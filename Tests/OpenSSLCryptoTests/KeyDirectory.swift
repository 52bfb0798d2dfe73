import Foundation

/// A directory that lasts as long as the test that made it, with the path of a key file in it.
final class KeyDirectory {
    let path: String
    var keys: String { path + "/keys" }

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes the key file with these permission bits.
    func write(_ text: String, mode: Int = 0o600) throws {
        try text.write(toFile: keys, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: keys)
    }

    func text() throws -> String {
        try String(contentsOfFile: keys, encoding: .utf8)
    }

    /// The permission bits of the key file.
    func mode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: keys)[.posixPermissions] as? Int
    }

    /// The names of all files in the directory.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
