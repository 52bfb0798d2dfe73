import ArgumentParser
import AsyncHTTPClient
import CoreEncodings
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOSSL
import PhoneAdministration
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneService

struct DoctorCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the service and its machine.",
        discussion: """
            Checks the settings as check-config does, and what only shows on the machine: clock, disk, the time of a flush, \
            open files, keys, certificate, database, the instances that run, and whether the gateways can be reached. Sends no \
            message, and changes nothing. A line begins with ✔ (fine), ! (should be changed) or ✗ (does not work). Exits with 1 if there is a ✗.

            With --live it only asks a running service whether it is ready, for the health check of a container.
            """
    )

    @Flag(help: "Print JSON.") var json = false

    @Option(
        help: ArgumentHelp(
            "Only check whether the service at this URL is ready.",
            discussion:
                "Such as http://127.0.0.1:8080. Reads no settings; exits with 1 if it is not ready within 3 seconds.",
            valueName: "url"
        )
    )
    var live: EndpointURL?

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        if let live { return try await askIfReady(live) }
        let settings: Settings
        do {
            settings = try options.load()
        } catch let failure as Failure {
            return try show(failure.lines.map(Finding.error))
        }
        var doctor = Doctor(settings, at: SystemWallClock().now())
        await doctor.examine()
        try show(doctor.findings)
    }

    private func show(_ findings: [Finding]) throws {
        let usesUnicode = Appearance.isUTF8(ProcessInfo.processInfo.environment)
        try end(with: findings, asJSON: json, lines: findings.map { $0.line(usesUnicode: usesUnicode) })
    }

    private func askIfReady(_ server: EndpointURL) async throws {
        var configuration = HTTPClient.Configuration.outgoing(.seconds(3))
        // The service's own certificate does not name this machine; nothing secret is sent.
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.certificateVerification = .none
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: String?
        do {
            let request = HTTPClientRequest(url: "\(server)/health/ready")
            let status = try await client.execute(request, timeout: .seconds(3)).status
            result = status == .ok ? nil : "it is not ready (status \(status.code)); its log says why"
        } catch {
            result = "no response: \(error)"
        }
        try? await client.shutdown()
        if let result { throw Failure.failed("\(server): \(result)") }
        print("\(server) is ready.")
    }
}
