import CoreEncodings
import Glibc

/// A signup on a server that a person has left at the code, in a file of theirs: so that another start finds the field
/// for it again. The file has the signup's token, by which nothing can be done without the code.
public struct SavedSignup: Sendable {
    struct Entry: Hashable {
        let server, id, token: String
    }

    private let folder: String
    private var path: String { folder + "/signup.json" }

    /// In the folder for the state of programs (https://specifications.freedesktop.org/basedir-spec); nil for a user
    /// without a home.
    public init?(environment: [String: String]) {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let state = folder("XDG_STATE_HOME") ?? folder("HOME").map({ $0 + "/.local/state" }) else { return nil }
        self.folder = state + "/phoneproof"
    }

    /// Nil if there is none, or it cannot be read.
    var entry: Entry? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        guard let json = bytes.prefix(count).withUnsafeBytes({ JSON(parsing: $0) }),
            let server = json["server"]?.string,
            let id = json["id"]?.string, let token = json["token"]?.string
        else { return nil }
        return Entry(server: server, id: id, token: token)
    }

    /// Replaces what was kept. Without success a start begins anew, as it would without the file.
    func write(_ entry: Entry) {
        var parent = ""
        for part in folder.split(separator: "/") {
            parent += "/" + part
            mkdir(parent, 0o700)
        }
        let text = (["server": .string(entry.server), "id": .string(entry.id), "token": .string(entry.token)] as JSON)
            .text
        let draft = "\(path).\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = Array(text.utf8)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        if !isWritten || rename(draft, path) != 0 { unlink(draft) }
    }

    func remove() { unlink(path) }
}
