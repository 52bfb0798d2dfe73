import ArgumentParser
import Glibc
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import PhoneService
import SystemPackage

struct SupportBundleCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "support-bundle",
        abstract: "Write what an issue report needs into a file.",
        discussion: """
            The version, the settings in force without secrets, what doctor says, figures of the last week, and the last lines \
            of a log, in which numbers, codes, tokens and passwords are masked. It is text: read it before you send it. The file is for you \
            alone (mode 0600). An existing one is overwritten with --force only.
            """
    )

    @Argument(help: "The file to write.") var file: String
    @Option(help: ArgumentHelp("A log of the service, of which the last 200 lines go in.", valueName: "file"))
    var log: String?
    @Flag(help: "Overwrite an existing file.") var force = false
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load()
        try settings.requireWritable(file)
        let now = SystemWallClock().now()
        var parts = [("phoneproof \(PhoneAPI.version), \(now)", [Self.system])]
        let check = ConfigurationCheck(settings, at: now).findings
        parts.append(("Settings", check.map(\.line) + [ConfigurationCheck.verdict(of: check)]))
        var doctor = Doctor(settings, at: now)
        await doctor.examine()
        // The names of machines are for their operators.
        let findings = doctor.findings.filter { $0.subject != "instances" }
        parts.append(("Doctor", findings.map { $0.line(usesUnicode: false) }))
        parts.append(("Figures of 7 days", await figures(settings)))
        if let log { parts.append(("Log", try Self.lastLines(of: log).map(SupportText.masked(logLine:)))) }
        let text = parts.map { "== \($0.0) ==\n" + $0.1.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
        try write(SupportText.masked(text))
        print("Wrote \(file). Read it before you send it.")
    }

    private static var system: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown system" }
        func text(_ value: some Any) -> String {
            withUnsafeBytes(of: value) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(name.sysname)) \(text(name.release)) \(text(name.machine))"
    }

    /// An error is a line of it: a database that cannot be read is what the report may be about.
    private func figures(_ settings: Settings) async -> [String] {
        do {
            let administration = try settings.existingAdministration()
            let backlog = try await administration.backlog()
            let days = try await administration.figures(days: 7, by: .day).map { name, figure in
                "\(name)  requested \(figure.requested), suppressed \(figure.suppressed), sent \(figure.sent), delivered "
                    + "\(figure.delivered), approved \(figure.approved)"
            }
            let failures = try await administration.failureGroups(of: .seconds(7 * 86_400), limit: 1000).map {
                "\($0.count) \($0.status.rawValue) by \($0.gateway ?? "no gateway"): \($0.failure ?? "no reason")"
            }
            return ["queued \(backlog.count)"] + days + failures
        } catch {
            return ["could not be read: \(error)"]
        }
    }

    private static func lastLines(of path: String) throws -> [String] {
        do {
            let bytes = try FilePath(path).contents()
            return String(decoding: bytes.suffix(200_000), as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false).suffix(200).map(String.init)
        } catch {
            throw Failure.failed("cannot read \(path): \(error)")
        }
    }

    private func write(_ text: String) throws {
        let flags: FileDescriptor.OpenOptions = force ? [.create, .truncate, .noFollow] : [.create, .exclusiveCreate]
        do {
            let descriptor = try FileDescriptor.open(
                FilePath(file),
                .writeOnly,
                options: flags,
                permissions: [.ownerRead, .ownerWrite]
            )
            try descriptor.closeAfter { _ = try descriptor.writeAll(text.utf8) }
        } catch let error as Errno {
            throw Failure.failed(
                error == .fileExists ? "\(file) exists; add --force to overwrite it" : "cannot write \(file): \(error)"
            )
        }
    }
}
