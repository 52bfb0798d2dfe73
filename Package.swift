// swift-tools-version: 6.2

import PackageDescription

// MARK: - What other packages give

let packages: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", "4.0.0"..<"6.0.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.45.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
]

/// The package of each product that a module may use.
let products = [
    "ArgumentParser": "swift-argument-parser", "AsyncHTTPClient": "async-http-client", "CoreMetrics": "swift-metrics",
    "Crypto": "swift-crypto", "CryptoExtras": "swift-crypto", "HTTPTypes": "swift-http-types",
    "Hummingbird": "hummingbird", "Instrumentation": "swift-distributed-tracing", "Logging": "swift-log",
    "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio", "NIOExtras": "swift-nio-extras", "NIOHTTP1": "swift-nio",
    "NIOHTTP2": "swift-nio-http2", "NIOHTTPTypes": "swift-nio-extras", "NIOHTTPTypesHTTP1": "swift-nio-extras",
    "NIOHTTPTypesHTTP2": "swift-nio-extras", "NIOPosix": "swift-nio", "NIOSSL": "swift-nio-ssl",
    "NIOTLS": "swift-nio", "ServiceLifecycle": "swift-service-lifecycle", "SystemPackage": "swift-system",
    "Tracing": "swift-distributed-tracing", "UnixSignals": "swift-service-lifecycle",
]

// MARK: - What a module is

/// Lowest first. A module uses what is on a floor below its own, or before it on the same floor; the tests use all.
/// `service` is PhoneService: it stands in Apps, below the docks, and knows none.
enum Floor: Int { case core, clients, adapters, drivers, service, docks, apps, tests }

/// A row of the table: a module with what it uses, modules of this package and products of others.
struct Module {
    let (floor, path, name): (Floor, String, String)
    let uses: [String]
    /// What its tests use besides; nil for a module without tests.
    let tests: [String]?
    /// What switches the packages on that it uses.
    var traits: Set<String> = ["Server"]
    var isProgram: Bool { floor == .apps || path.hasPrefix("Tools/") }

    init(_ floor: Floor, _ path: String, _ uses: String, _ tests: String? = nil) {
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        (self.floor, self.path, self.name) = (floor, path, String(path.split(separator: "/").last ?? ""))
        (self.uses, self.tests) = (words(uses), tests.map(words))
    }
}

func core(_ name: String, _ uses: String = "", tests: String? = nil) -> Module {
    Module(.core, "Sources/Core/\(name)", uses, tests)
}
func client(_ name: String, _ uses: String, traits: Set<String>, tests: String? = nil) -> Module {
    var module = Module(.clients, "Sources/Clients/\(name)", uses, tests)
    module.traits = traits
    return module
}
func adapter(_ name: String, _ uses: String, tests: String? = nil) -> Module {
    Module(.adapters, "Sources/Adapters/\(name)", uses, tests)
}
func driver(_ name: String, _ uses: String, tests: String? = nil) -> Module {
    Module(.drivers, "Sources/Drivers/\(name)", uses, tests)
}
func dock(_ name: String, _ uses: String = "", tests: String? = "DockTestSupport OpenSSLCrypto") -> Module {
    Module(.docks, "Sources/Docks/\(name)", "\(http) PhoneHTTP PhoneService PhoneStore Texts \(uses)", tests)
}
func support(_ path: String, _ uses: String) -> Module { Module(.tests, path, uses) }

let domain = "CoreEncodings PhoneAccounts PhoneAdministration PhoneDomain"
let flow = "CoreEncodings PhoneNumbers PhoneSignup"
let http = "\(domain) HTTPTypes Logging NIOCore"
let sockets = "AsyncHTTPClient NIOCore NIOHTTP1 NIOPosix"

// MARK: - The table

/// What answers in somebody else's words: each may be deleted. Twilio's APIs have one form of errors, the stub's too.
let docks = [
    dock("AuthHooks", "OpenSSLCrypto"),
    dock("Console"),
    dock("Firebase", "OpenSSLCrypto", tests: nil),
    dock("OneTimePasswordSMS"),
    dock("SupabaseAuth"),
    dock("TwilioVerify", "SMSStub ArgumentParser"),
]
let dockNames = docks.map(\.name).joined(separator: " ")

let modules: [Module] =
    [
        // Encodings; numbers by themselves; the flow and its rules; what people do with an account; what operators do.
        core("CoreEncodings", tests: ""),
        core("PhoneNumbers", tests: ""),
        core("PhoneSignup", "PhoneNumbers"),
        core("Reactive", tests: ""),
        core("PhoneViewModel", "PhoneNumbers PhoneSignup Reactive", tests: "PhoneDomain PhoneStore"),
        core("PhoneDomain", "PhoneNumbers PhoneSignup", tests: "\(domain) PhoneStore PumpingSimulation"),
        core("PhoneAccounts", "PhoneDomain", tests: ""),
        core("PhoneAdministration", "PhoneAccounts PhoneDomain", tests: "PhoneStore StoreSuite"),

        // The service over HTTP, for apps and other servers; the last is empty without its trait.
        client("PhoneProofClient", "\(flow) Crypto CryptoExtras", traits: ["AccessTokens"], tests: "PhoneViewModel"),
        client("PhoneProofAsyncHTTPClient", "PhoneProofClient \(sockets)", traits: ["AsyncHTTPClient", "Server"]),
        client("PhoneProofHummingbird", "PhoneProofClient HTTPTypes Hummingbird Logging", traits: ["Hummingbird"]),

        adapter("Texts", "PhoneDomain", tests: ""),
        adapter("Telemetry", "\(domain) CoreMetrics Instrumentation Logging Tracing", tests: "PhoneStore"),
        adapter("OpenSSLCrypto", "\(domain) COpenSSL", tests: "PhoneStore"),
        adapter("PhoneStore", "\(domain) CPostgreSQL CSQLite", tests: "StoreSuite"),
        adapter(
            "PhoneDelivery",
            "\(domain) Telemetry Texts CoreMetrics Logging Tracing \(sockets)",
            tests: "OpenSSLCrypto PhoneStore SMSStub Telemetry"
        ),

        driver(
            "PhoneHTTP",
            "\(http) COpenAPI CYAML PhoneViewModel Telemetry Texts CoreMetrics NIOExtras NIOHTTP1 NIOHTTP2 NIOHTTPTypes "
                + "NIOHTTPTypesHTTP1 NIOHTTPTypesHTTP2 NIOPosix NIOSSL NIOTLS ServiceLifecycle Tracing",
            tests: "AsyncHTTPClient NIOEmbedded OpenSSLCrypto PhoneDelivery PhoneStore SMSStub"
        ),
        // The fake SMS vendor. It posts callbacks with the client of the gateways and is a gateway itself, in process.
        driver("SMSStub", "\(http) PhoneDelivery PhoneHTTP Texts ServiceLifecycle"),
        driver(
            "PhoneCLI",
            "\(domain) PhoneProofAsyncHTTPClient PhoneProofClient PhoneViewModel Texts \(sockets)",
            tests: ""
        ),

        // The settings, what a dock is, and the only place where adapters meet: builds a service from its settings.
        Module(
            .service,
            "Sources/Apps/PhoneService",
            "\(http) \(sockets) OpenSSLCrypto PhoneCLI PhoneDelivery PhoneHTTP PhoneStore PhoneViewModel SMSStub Telemetry "
                + "Texts ArgumentParser CoreMetrics ServiceLifecycle SystemPackage Tracing UnixSignals",
            "NIOEmbedded"
        ),

    ] + docks + [
        // The commands, which parse their arguments and call, and the one list of docks.
        Module(
            .apps,
            "Sources/Apps/phoneproof",
            "\(dockNames) \(http) \(sockets) OpenSSLCrypto "
                + "PhoneCLI PhoneDelivery PhoneHTTP PhoneService PhoneStore PhoneViewModel SMSStub Texts ArgumentParser NIOSSL"
        ),

        // Shared by the tests: fakes of the ports, what plays a dock's clients, the suite that every store must pass, and
        // pumping attacks amid people, for a test and a tool.
        support("Tests/Support/PhoneTestSupport", "\(domain) PhoneStore Logging"),
        support(
            "Tests/Support/DockTestSupport",
            "\(http) PhoneHTTP PhoneService PhoneStore PhoneTestSupport NIOEmbedded"
        ),
        support("Tests/Support/StoreSuite", "\(domain) PhoneStore PhoneTestSupport"),
        support("Tests/Support/PumpingSimulation", "PhoneDomain PhoneStore PhoneTestSupport"),

        // What scripts and tests start: attacks, the least that others need for the same work, single operations in a loop,
        // what scripts/numbers/compare asks, and a client.
        support("Tools/FraudSimulator", "PhoneDomain PumpingSimulation"),
        support("Tools/HostileBodies", "\(http) \(dockNames) Counter PhoneHTTP PhoneService NIOEmbedded"),
        support("Tools/BenchmarkFloor", "\(http) CSQLite PhoneHTTP"),
        support(
            "Tools/BenchmarkWork",
            "\(http) OpenSSLCrypto PhoneDelivery PhoneHTTP PhoneStore PhoneViewModel NIOEmbedded"
        ),
        support("Tools/NumberOracle", "PhoneNumbers"),
        support("Tools/ClientDriver", "\(flow) PhoneProofAsyncHTTPClient PhoneProofClient AsyncHTTPClient"),
    ]

// MARK: - From the table to the package

let rows = Dictionary(uniqueKeysWithValues: modules.enumerated().map { ($1.name, $0) })

/// Ends the build with a sentence where a module uses what stands above it.
func checkFloor(of module: Module) {
    for name in module.uses {
        guard let row = rows[name], let own = rows[module.name] else { continue }
        let (used, floor) = (modules[row].floor.rawValue, module.floor.rawValue)
        precondition(used < floor || used == floor && row < own, "\(module.name) may not use \(name): it stands above")
    }
}

func targets(of module: Module) -> [Target] {
    func dependencies(_ uses: [String]) -> [Target.Dependency] {
        Set(uses).sorted().map { name in
            guard let package = products[name] else { return .byName(name: name) }
            return .product(name: name, package: package, condition: .when(traits: module.traits))
        }
    }
    checkFloor(of: module)
    let (name, uses) = (module.name, dependencies(module.uses))
    guard !module.isProgram else {
        return [.executableTarget(name: name, dependencies: uses, path: module.path, swiftSettings: settings)]
    }
    let target = Target.target(name: name, dependencies: uses, path: module.path, swiftSettings: settings)
    guard let tests = module.tests else { return [target] }
    // A dock's tests are one folder, with those in Python.
    let folder = "Tests\(module.path.dropFirst("Sources".count))" + (module.floor == .docks ? "/\(name)Tests" : "Tests")
    let all = dependencies(module.uses + tests + ["PhoneTestSupport", name])
    return [target, .testTarget(name: "\(name)Tests", dependencies: all, path: folder, swiftSettings: settings)]
}

/// What every target of ours is compiled with. Warnings are errors here and only here: a dependency's warnings are its
/// own affair.
let settings: [SwiftSetting] = [
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // An async function runs where its caller does, so that a call is no change of executors
    // (https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md).
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ pkgConfig: String, _ debian: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
}

let package = Package(
    name: "phoneproof",
    // What the light products need: `Duration.attoseconds` and `Mutex`. The server runs on Linux.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        "PhoneNumbers", "PhoneDomain", "PhoneSignup", "Reactive", "PhoneViewModel", "PhoneProofClient",
        "PhoneProofAsyncHTTPClient", "PhoneProofHummingbird",
    ].map { .library(name: $0, targets: [$0]) } + [.executable(name: "phoneproof", targets: ["phoneproof"])],
    // A package that needs the libraries for apps alone depends on this one with `traits: []`. Every dependency is then
    // unused, and SwiftPM resolves and fetches none.
    traits: [
        .trait(name: "Server", description: "Everything but the libraries for apps, with all dependencies."),
        .trait(name: "AsyncHTTPClient", description: "PhoneProofAsyncHTTPClient, and what it needs."),
        .trait(name: "AccessTokens", description: "Signatures of access tokens for PhoneProofClient, by swift-crypto."),
        .trait(
            name: "Hummingbird",
            description: "PhoneProofHummingbird, and what it needs.",
            enabledTraits: ["AccessTokens", "AsyncHTTPClient"]
        ),
        .default(enabledTraits: ["Server", "AsyncHTTPClient"]),
    ],
    dependencies: packages,
    targets: [
        library("COpenSSL", "libcrypto", "libssl-dev"), library("CSQLite", "sqlite3", "libsqlite3-dev"),
        library("CPostgreSQL", "libpq", "libpq-dev"), library("CYAML", "yaml-0.1", "libyaml-dev"),
        .target(name: "Counter", path: "Tools/Counter"),
        .target(
            name: "COpenAPI",
            path: "Sources/System/COpenAPI",
            exclude: ["openapi.yaml", "openapi-admin.yaml"]
        ),
    ] + modules.flatMap(targets)
)
