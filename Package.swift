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

/// Those of their products that modules use.
let products = [
    "async-http-client": "AsyncHTTPClient", "hummingbird": "Hummingbird", "swift-argument-parser": "ArgumentParser",
    "swift-crypto": "Crypto CryptoExtras", "swift-distributed-tracing": "Instrumentation Tracing",
    "swift-http-types": "HTTPTypes", "swift-log": "Logging", "swift-metrics": "CoreMetrics",
    "swift-nio": "NIOCore NIOEmbedded NIOHTTP1 NIOPosix NIOTLS", "swift-nio-http2": "NIOHTTP2",
    "swift-nio-extras": "NIOExtras NIOHTTPTypes NIOHTTPTypesHTTP1 NIOHTTPTypesHTTP2", "swift-nio-ssl": "NIOSSL",
    "swift-service-lifecycle": "ServiceLifecycle UnixSignals", "swift-system": "SystemPackage",
].mapValues(words)

func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

// MARK: - What a module is

/// A module with what it uses: modules of this package and products of others.
struct Module {
    let floor: Floor
    let name, path: String
    let uses: [String]
    /// What its tests use besides; nil for a module without tests.
    let tests: [String]?
    /// What switches the packages on that it uses.
    let traits: Set<String>
}

/// Makes rows of the table. A module uses what stands before it there: on a floor below its own, or on the same floor.
struct Floor {
    let level: Int
    let folder: String
    var hasPrograms = false

    func callAsFunction(_ name: String, _ uses: String, tests: String? = nil, traits: String = "Server") -> Module {
        let (path, uses, tests) = ("\(folder)/\(name)", words(uses), tests.map(words))
        return Module(floor: self, name: name, path: path, uses: uses, tests: tests, traits: Set(words(traits)))
    }
}

let core = Floor(level: 0, folder: "Sources/Core")
let client = Floor(level: 1, folder: "Sources/Clients")
let adapter = Floor(level: 2, folder: "Sources/Adapters")
let driver = Floor(level: 3, folder: "Sources/Drivers")
/// PhoneService stands in Apps, below the docks, and knows none.
let service = Floor(level: 4, folder: "Sources/Apps")
let dock = Floor(level: 5, folder: "Sources/Docks")
let app = Floor(level: 6, folder: "Sources/Apps", hasPrograms: true)
let support = Floor(level: 7, folder: "Tests/Support")
let tool = Floor(level: 8, folder: "Tools", hasPrograms: true)

let flow = "CoreEncodings PhoneNumbers PhoneSignup"
let domain = "\(flow) PhoneAccounts PhoneAdministration PhoneDomain"
let http = "\(domain) HTTPTypes Logging NIOCore"
let sockets = "AsyncHTTPClient NIOCore NIOHTTP1 NIOPosix"
let remote = "PhoneProofAsyncHTTPClient PhoneProofClient AsyncHTTPClient"
let measures = "Telemetry CoreMetrics Logging Tracing"
let program =
    "\(http) \(sockets) OpenSSLCrypto PhoneCLI PhoneDelivery PhoneHTTP PhoneStore PhoneViewModel SMSStub Texts "
    + "ArgumentParser SystemPackage YAML"
let docking = "\(http) PhoneHTTP PhoneService PhoneStore Texts"
let clients = "DockTestSupport OpenSSLCrypto"
/// A plug-in of the build: style sheets, scripts and OpenAPI documents are files beside the Swift that uses them.
let embedFiles = "EmbedFiles"

// MARK: - The table

/// What answers in somebody else's words: each may be deleted. Twilio's APIs have one form of errors, the stub's too.
let docks = [
    dock("AppIntegrity", "\(docking) OpenSSLCrypto PhoneDelivery SystemPackage"),
    dock("AuthHooks", "\(docking) OpenSSLCrypto", tests: clients),
    dock("Console", "\(docking) EmbedFiles", tests: clients),
    dock("Firebase", "\(docking) OpenSSLCrypto"),
    dock("FirebasePNV", "\(docking) OpenSSLCrypto PhoneDelivery"),
    dock("NetworkProof", "\(docking) OpenSSLCrypto PhoneDelivery", tests: ""),
    dock("OneTimePasswordSMS", docking, tests: clients),
    dock("Passkeys", "\(docking) EmbedFiles OpenSSLCrypto", tests: clients),
    dock("SupabaseAuth", docking, tests: clients),
    dock("TwilioVerify", "\(docking) SMSStub ArgumentParser", tests: clients),
]
let dockNames = docks.map(\.name).joined(separator: " ")

let modules: [Module] =
    [
        // Encodings; numbers by themselves; the flow and its rules; what people do with an account; what operators do.
        core("CoreEncodings", "", tests: ""),
        core("PhoneNumbers", "", tests: ""),
        core("PhoneSignup", "PhoneNumbers"),
        core("Reactive", "", tests: ""),
        core("PhoneViewModel", "PhoneNumbers PhoneSignup Reactive", tests: "PhoneDomain PhoneStore"),
        core("PhoneDomain", "PhoneNumbers PhoneSignup", tests: "\(domain) PhoneStore Simulations"),
        core("PhoneAccounts", "\(flow) PhoneDomain", tests: "PhoneStore"),
        core("PhoneAdministration", "\(flow) PhoneAccounts PhoneDomain", tests: "PhoneStore"),

        // The service over HTTP, for apps and other servers; the last is empty without its trait.
        client("PhoneProofClient", "\(flow) Crypto CryptoExtras", tests: "PhoneViewModel", traits: "AccessTokens"),
        client("PhoneProofAsyncHTTPClient", "PhoneProofClient \(sockets)", traits: "AsyncHTTPClient Server"),
        client("PhoneProofHummingbird", "PhoneProofClient HTTPTypes Hummingbird Logging", traits: "Hummingbird"),

        adapter("YAML", "CoreEncodings CYAML", tests: ""),
        adapter("Texts", "\(flow) PhoneDomain", tests: ""),
        adapter("Telemetry", "\(domain) CoreMetrics Instrumentation Logging Tracing", tests: "PhoneStore"),
        adapter("OpenSSLCrypto", "\(domain) COpenSSL", tests: "PhoneStore"),
        adapter("PhoneStore", "\(domain) CPostgreSQL CSQLite", tests: "StoreSuite"),
        adapter(
            "PhoneDelivery",
            "\(domain) \(measures) \(sockets) Texts NIOSSL",
            tests: "OpenSSLCrypto PhoneStore SMSStub"
        ),

        driver(
            "PhoneHTTP",
            "\(http) \(measures) EmbedFiles PhoneViewModel Texts NIOExtras NIOHTTP1 NIOHTTP2 NIOHTTPTypes "
                + "NIOHTTPTypesHTTP1 NIOHTTPTypesHTTP2 NIOPosix NIOSSL NIOTLS ServiceLifecycle",
            tests: "AsyncHTTPClient NIOEmbedded PhoneDelivery PhoneStore SMSStub"
        ),
        // The fake SMS vendor. It posts callbacks with the client of the gateways and is a gateway itself, in process.
        driver("SMSStub", "\(http) EmbedFiles PhoneDelivery PhoneHTTP Texts ServiceLifecycle"),
        driver("PhoneCLI", "\(domain) \(remote) PhoneViewModel Texts YAML", tests: ""),

        // The settings, what a dock is, and the only place where adapters meet: builds a service from its settings.
        service("PhoneService", "\(program) \(measures) CJemalloc ServiceLifecycle UnixSignals", tests: "NIOEmbedded"),
    ] + docks + [
        // The commands, which parse their arguments and call, and the one list of docks.
        app("phoneproof", "\(dockNames) \(program) PhoneService NIOSSL"),

        // Shared by the tests: fakes of the ports, what plays a dock's clients, what every store must pass, and attacks.
        support("PhoneTestSupport", "\(domain) PhoneProofClient PhoneStore Logging"),
        support("DockTestSupport", "\(http) PhoneHTTP PhoneService PhoneStore PhoneTestSupport NIOEmbedded"),
        support("StoreSuite", "\(domain) PhoneStore PhoneTestSupport"),
        support("Simulations", "\(flow) PhoneDomain PhoneStore PhoneTestSupport"),

        // What scripts and tests start. They see what only this package may, and a package of their own would compile what
        // it depends on once more.
        tool("FileEmbedder", "CoreEncodings YAML"),
        tool("FraudSimulator", "\(flow) PhoneDomain Simulations"),
        tool("RouteSimulator", "Simulations"),
        tool("HostileBodies", "\(http) \(dockNames) Counter PhoneHTTP PhoneService PhoneStore NIOEmbedded"),
        tool("BenchmarkFloor", "\(http) CJemalloc CSQLite PhoneHTTP"),
        tool("Yardstick", "COpenSSL"),
        tool("BenchmarkWork", "\(domain) OpenSSLCrypto PhoneDelivery PhoneStore PhoneViewModel"),
        tool("NumberOracle", "PhoneNumbers"),
        tool("ClientDriver", "\(flow) \(remote)"),
    ]

// MARK: - From the table to the package

let rows = Dictionary(uniqueKeysWithValues: modules.enumerated().map { ($1.name, $0) })
let levels = modules.map(\.floor.level)
precondition(levels == levels.sorted(), "the rows of a floor stand together, the lowest floor first")

func targets(of module: Module) -> [Target] {
    func dependencies(_ uses: [String]) -> [Target.Dependency] {
        Set(uses).subtracting([embedFiles]).sorted().map { name in
            guard let package = products.first(where: { $1.contains(name) })?.key else { return .byName(name: name) }
            return .product(name: name, package: package, condition: .when(traits: module.traits))
        }
    }
    for used in module.uses {
        precondition(rows[used] ?? -1 < rows[module.name] ?? 0, "\(module.name) may not use \(used): it stands above")
    }
    let (name, path, uses) = (module.name, module.path, dependencies(module.uses))
    guard !module.floor.hasPrograms else {
        return [.executableTarget(name: name, dependencies: uses, path: path, swiftSettings: settings)]
    }
    let plugins = module.uses.contains(embedFiles) ? [Target.PluginUsage.plugin(name: embedFiles)] : []
    let target = Target.target(name: name, dependencies: uses, path: path, swiftSettings: settings, plugins: plugins)
    guard let tests = module.tests else { return [target] }
    // A dock's tests are one folder, with those in Python.
    let folder = "Tests\(path.dropFirst(7))\(module.floor.folder == dock.folder ? "/\(name)" : "")Tests"
    let all = dependencies(module.uses + tests + ["PhoneTestSupport", name])
    return [target, .testTarget(name: "\(name)Tests", dependencies: all, path: folder, swiftSettings: settings)]
}

/// What every target of ours is compiled with: SE-0335, SE-0444, SE-0409 and SE-0461, by which an async function runs where
/// its caller does. Warnings are errors here and only here: a dependency's are its own affair.
let settings: [SwiftSetting] =
    ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault"]
    .map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]

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
        .trait(name: "Hummingbird", description: "Middleware.", enabledTraits: ["AccessTokens", "AsyncHTTPClient"]),
        .default(enabledTraits: ["Server", "AsyncHTTPClient"]),
    ],
    dependencies: packages,
    targets: [
        library("COpenSSL", "libcrypto", "libssl-dev"), library("CSQLite", "sqlite3", "libsqlite3-dev"),
        library("CPostgreSQL", "libpq", "libpq-dev"), library("CYAML", "yaml-0.1", "libyaml-dev"),
        library("CJemalloc", "jemalloc", "libjemalloc-dev"),
        .target(name: "Counter", path: "Tools/Counter"),
        .plugin(name: embedFiles, capability: .buildTool(), dependencies: ["FileEmbedder"], path: "Tools/EmbedFiles"),
    ] + modules.flatMap(targets)
)
