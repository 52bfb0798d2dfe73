import ArgumentParser
import CoreEncodings
import Glibc
import OpenSSLCrypto
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneNumbers
import PhoneService
import PhoneSignup
import SystemPackage

struct AccountsImportCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import people from another system as accounts.",
        discussion: """
            Reads an export of Firebase (auth:export, JSON), Auth0 (users-exports, unpacked), Cognito (list-users) or Supabase \
            (auth.users as CSV or JSON), or of this service (jsonl, of `accounts export --all`). Columns of csv are phone_number, \
            region, external_id, created_at, last_active_at and metadata.NAME. Passwords are not read. Nothing is sent to \
            anybody, and no webhook is called.

            The ID that a person has there is the account's external_id. Numbers that were not verified there are refused. Somebody who is known \
            already, by number or external_id, is skipped, updated (metadata are merged; number and times stay) or refused.

            What is wrong is reported with its line, and the rest is imported; then it exits with 1. It may be run again at any \
            time: who was imported before is unchanged. The service can run meanwhile.
            """
    )

    @Argument(help: "The file; - is the standard input.", completion: .file()) var file: String
    @Option(help: "Where the people come from.") var from: PeopleSource
    @Option(help: "What to do with somebody who is known already.") var onConflict = ImportAccount.Conflict.skip
    @Flag(help: "Only check; somebody who is in the file twice is not noticed.") var dryRun = false
    @Option(help: "The region of numbers without + and country code.") var region: Region?
    @Option(help: ArgumentHelp("Write what is wrong to this file, as JSON lines.", valueName: "file"))
    var report: String?
    @OptionGroup var act: ActOptions

    /// The most failures that are printed.
    private static let mostPrinted = 20

    func administration(_ settings: Settings) throws -> Administration {
        // Before a database is made for it.
        _ = try InputFile(file)
        let settings = settings.patient
        let store = try settings.storeOfService(knowing: "account")
        try settings.requireKeysOfAll()
        // Before the first start there are none.
        if let path = try settings.keyPath() { _ = try KeyRing.loadOrCreate(at: path) }
        return settings.administration(over: store)
    }

    func send(to api: AdminAPI) async throws -> JSON {
        let input = try InputFile(file)
        let report = try self.report.map { path in
            if admin.server == nil { try admin.store.load().requireWritable(path) }
            return try ReportFile(path)
        }
        var records = RecordReader(read: input.read)
        let display = ProgressLine()
        defer { display.end() }
        var count = 0
        var people = PeopleImport(
            from: from,
            to: api,
            options: [
                .init("on_conflict", .string(onConflict.rawValue)), .init("dry_run", .bool(dryRun)),
                .init("region", .string(region?.description)),
            ],
            moment: SystemWallClock().now().description,
            report: { failure in
                count += 1
                if let report { return try report.write(failure.json.text) }
                display.end()
                if count <= Self.mostPrinted {
                    StandardError.write("line \(failure.line): \(failure.reason)")
                } else if count == Self.mostPrinted + 1 {
                    StandardError.write("More lines are wrong; --report FILE has all of them.")
                }
            },
            progress: { display.show("\($0.all) people, \($0.failed) failed", count: $0.all) }
        )
        do {
            try await people.run(&records)
        } catch let error as RecordReader.Unreadable {
            throw Failure.failed("\(file) cannot be read: \(error)")
        }
        try report?.close()
        return people.counts.json
    }

    func text(of body: JSON) -> String {
        func count(_ name: String) -> Int { body[name]?.integer ?? 0 }
        let rows = [
            (dryRun ? "Would be created" : "Created", count("created")),
            (dryRun ? "Would be updated" : "Updated", count("updated")), ("Unchanged", count("unchanged")),
            ("Skipped", count("skipped")), ("Failed", count("failed")),
        ]
        let regions = body[path: "regions"].members.map { ("  " + $0.name, $0.value.integer ?? 0) }
        return aligned((rows + regions).map { ($0.0, "\($0.1)") })
    }

    func failure(in body: JSON) -> Failure? {
        guard let count = body["failed"]?.integer, count > 0 else { return nil }
        let place = report.map { "; see \($0)" } ?? ""
        return .failed("\(counted(count, "person was", "people were")) not imported\(place)")
    }
}

struct AccountsExportCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export all data of an account's owner, or all accounts.",
        discussion: """
            Of one account it is JSON, the same as GET /v1/accounts/me/export: numbers in full, no codes and no secrets. Not included are audit log \
            entries made with keys that have been removed from the key file, and what gateways and carriers store.

            With --all it is one account per line, as `accounts import --from jsonl` reads it: with ID, number, times, metadata, consent \
            and external_id, and without sessions, so that people sign in again elsewhere.

            The export is recorded in the audit log.
            """
    )

    @Argument(help: "An account ID (acc_…), whole or as `accounts list` shows it, or its phone number.")
    var account: String?
    @Flag(help: "Export all accounts.") var all = false
    @Option(help: .region) var region: Region?
    @OptionGroup var act: ActOptions

    func validate() throws {
        guard (account == nil) == all else { throw ValidationError("name an account, or give --all") }
    }

    func send(to api: AdminAPI) async throws -> JSON {
        guard let account else {
            try await exportAll(api)
            return .null
        }
        var argument = AccountArgument()
        (argument.account, argument.region) = (account, region)
        return try await argument.act("export", api)
    }

    func text(of body: JSON) -> String { body == .null ? "" : body.text }

    private func exportAll(_ api: AdminAPI) async throws {
        var cursor: String?
        repeat {
            let page = try await api.post(
                "/accounts/export",
                ["limit": .integer(api.longestPage), "cursor": .string(cursor)]
            )
            for account in page["items"]?.array ?? [] { print(account.text) }
            cursor = page["next_cursor"]?.string
        } while cursor != nil
    }
}

/// A file that is read a chunk at a time.
private final class InputFile {
    private let descriptor: FileDescriptor
    private let path: String

    init(_ path: String) throws {
        self.path = path
        do {
            descriptor = try path == "-" ? .standardInput : .open(path, .readOnly, options: .closeOnExec)
        } catch {
            throw Failure.failed("\(path) cannot be read: \(error)")
        }
    }

    deinit { if descriptor != .standardInput { try? descriptor.close() } }

    /// - Returns: no bytes at the end.
    func read() throws -> [UInt8] {
        do {
            return try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch {
            throw Failure.failed("\(path) cannot be read: \(error)")
        }
    }
}

/// Lines that are written to a file of its own.
private final class ReportFile {
    private let path: String
    private var file: UnsafeMutablePointer<FILE>?

    init(_ path: String) throws {
        self.path = path
        // Its lines may have what is in the file that is imported.
        umask(0o077)
        file = fopen(path, "we")
        if file == nil { throw unwritable }
    }

    deinit { if let file { fclose(file) } }

    private var unwritable: Failure { .failed("\(path) cannot be written: \(String(cString: strerror(errno)))") }

    func write(_ line: String) throws {
        guard let file, fputs(line + "\n", file) >= 0 else { throw unwritable }
    }

    func close() throws {
        defer { file = nil }
        if let file, fclose(file) != 0 { throw unwritable }
    }
}

/// How far a command is: a line that is redrawn in a terminal, and a line for every hundred thousand elsewhere.
private final class ProgressLine {
    private let terminal = PosixTerminal()
    private let redraws = isatty(STDERR_FILENO) == 1
    private var isShown = false
    private var mark = 0

    func show(_ text: String, count: Int) {
        if redraws {
            terminal.writeError("\r\u{1B}[K" + text)
            isShown = true
        } else if count / 100_000 > mark {
            mark = count / 100_000
            terminal.writeError(text + "\n")
        }
    }

    func end() {
        if isShown { terminal.writeError("\r\u{1B}[K") }
        isShown = false
    }
}
