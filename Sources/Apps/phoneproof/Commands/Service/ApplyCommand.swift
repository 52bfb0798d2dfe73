import ArgumentParser
import CoreEncodings
import FoundationEssentials
import Glibc
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService
import SystemPackage

struct ApplyCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Make clients, API keys and guard rules as a file describes them.",
        discussion: """
            The file has the sections clients, keys and guard_rules, each a list of objects with the members of /v1/admin. An object is \
            known by its name (a rule by its prefix). What is missing is made, what differs is changed, and what this \
            command made before and the file has no more is revoked; what others made never is. What a description does \
            not name stays as it is. A secret is written into the object's secret_file (mode 0600), which must not exist \
            yet; the file itself has none.

            What was made is recorded in FILE.state: keep that with the file. To run it again changes nothing.
            """
    )

    @Argument(help: "The file, in YAML.", completion: .file()) var file: String
    @Flag(help: "Only print what would change.") var plan = false
    @OptionGroup var act: ActOptions

    private var stateFile: String { file + ".state" }

    func send(to api: AdminAPI) async throws -> JSON {
        do {
            let objects = try ObjectsFile(Self.contents(of: file))
            let plan = try await ObjectsPlan(objects, made: state(), api: api)
            if !self.plan { try await plan.apply(through: api, save: save, openSecret: openSecret) }
            return .object(plan.json.members + [JSON.Member("applied", .bool(!self.plan))])
        } catch let error as ObjectsFile.Invalid {
            throw Failure(status: .failed, lines: error.lines.map { "\(file): \($0)" })
        }
    }

    func text(of body: JSON) -> String {
        let changes = body["changes"]?.array ?? []
        let marks = ["create": "+", "update": "~", "remove": "-"]
        var lines = changes.map { change -> String in
            let kind = ObjectsFile.Kind.all.first { $0.section == change["kind"]?.string }?.word ?? ""
            let members = (change["members"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
            let name = change["name"]?.string ?? ""
            return "\(marks[change["act"]?.string ?? ""] ?? "") \(kind) \(name)"
                + (members.isEmpty ? "" : ": \(members)")
        }
        let unchanged = "\(body["unchanged"]?.integer ?? 0) unchanged"
        lines.append(plan ? "\(changes.count) would change, \(unchanged)." : "\(changes.count) changed, \(unchanged).")
        return lines.joined(separator: "\n")
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.failed("\(path) cannot be read")
        }
        return Array(data)
    }

    private func state() throws -> ObjectsPlan.Record {
        guard access(stateFile, F_OK) == 0 else { return [:] }
        guard let json = JSON(parsing: String(decoding: try Self.contents(of: stateFile), as: UTF8.self)), json.isObject
        else {
            throw Failure.failed("\(stateFile) is not what apply has written; restore it, or remove it to begin anew")
        }
        return Dictionary(
            json.members.map { kind in
                (
                    kind.name,
                    Dictionary(kind.value.members.compactMap { name in name.value.string.map { (name.name, $0) } }) {
                        $1
                    }
                )
            }
        ) { $1 }
    }

    /// The file is as it was or as it is to be, whenever this process ends.
    private func save(_ record: ObjectsPlan.Record) throws {
        if record.isEmpty, access(stateFile, F_OK) != 0 { return }
        if admin.server == nil { try admin.store.load().requireWritable(stateFile) }
        let kinds = record.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        let json = JSON.object(
            kinds.map { kind, names in
                JSON.Member(
                    kind,
                    .object(names.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) })
                )
            }
        )
        let draft = stateFile + ".new"
        try Self.write(json.indentedText + "\n", to: draft, Self.open(draft, .truncate, mode: 0o644))
        guard rename(draft, stateFile) == 0 else { throw Failure.failed("\(stateFile) cannot be written") }
    }

    /// Opened before the object is made: a secret that is shown once must have a place.
    private func openSecret(_ path: String) throws -> (String?) throws -> Void {
        if admin.server == nil { try admin.store.load().requireWritable(path) }
        let file = try Self.open(path, .exclusiveCreate, mode: 0o600)
        return { secret in
            guard let secret else {
                try? file.close()
                unlink(path)
                return
            }
            try Self.write(secret + "\n", to: path, file)
        }
    }

    private static func open(
        _ path: String,
        _ option: FileDescriptor.OpenOptions,
        mode: CModeT
    ) throws -> FileDescriptor {
        do {
            let options: FileDescriptor.OpenOptions = [.create, option, .noFollow, .closeOnExec]
            return try .open(path, .writeOnly, options: options, permissions: FilePermissions(rawValue: mode))
        } catch let error as Errno {
            let reason = error == .fileExists ? "it exists already" : error.description
            throw Failure.failed("\(path) cannot be written: \(reason)")
        }
    }

    private static func write(_ text: String, to path: String, _ file: FileDescriptor) throws {
        defer { try? file.close() }
        guard (try? file.writeAll(text.utf8)) != nil, fsync(file.rawValue) == 0 else {
            throw Failure.failed("\(path) cannot be written")
        }
    }
}
