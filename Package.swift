// swift-tools-version: 6.2

import PackageDescription

/// What every target of ours is compiled with. Warnings are errors here and only here: a dependency's
/// warnings are its own affair.
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

let package = Package(
    name: "phoneproof",
    // What the light products need: `Duration.attoseconds` and `Mutex`. The server runs on Linux.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PhoneNumbers", targets: ["PhoneNumbers"]),
        .library(name: "PhoneDomain", targets: ["PhoneDomain"]),
        .library(name: "PhoneSignup", targets: ["PhoneSignup"]),
        .library(name: "Reactive", targets: ["Reactive"]),
        .library(name: "PhoneViewModel", targets: ["PhoneViewModel"]),
        .library(name: "PhoneProofClient", targets: ["PhoneProofClient"]),
        .library(name: "PhoneProofAsyncHTTPClient", targets: ["PhoneProofAsyncHTTPClient"]),
        .library(name: "PhoneProofHummingbird", targets: ["PhoneProofHummingbird"]),
        .executable(name: "phoneproof", targets: ["phoneproof"]),
    ],
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
    dependencies: [
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
    ],
    targets: [
        // Numbers by themselves; the flow and its rules.
        .target(name: "PhoneNumbers", swiftSettings: settings),
        .target(name: "PhoneSignup", dependencies: ["PhoneNumbers"], swiftSettings: settings),
        .target(name: "PhoneDomain", dependencies: ["PhoneNumbers", "PhoneSignup"], swiftSettings: settings),
        // What people do once they have an account: sessions and their tokens, another number, OpenID Connect.
        .target(name: "PhoneAccounts", dependencies: ["PhoneDomain"], swiftSettings: settings),
        // What operators ask and do, by the command line, the API or the console.
        .target(name: "PhoneAdministration", dependencies: ["PhoneAccounts", "PhoneDomain"], swiftSettings: settings),
        .target(name: "Reactive", swiftSettings: settings),
        .target(
            name: "PhoneViewModel",
            dependencies: ["PhoneNumbers", "PhoneSignup", "Reactive"],
            swiftSettings: settings
        ),

        // The service over HTTP, for apps and other servers.
        .target(
            name: "PhoneProofClient",
            dependencies: [
                "CoreEncodings", "PhoneNumbers", "PhoneSignup",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PhoneProofAsyncHTTPClient",
            dependencies: [
                "PhoneProofClient",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        // Empty without its trait.
        .target(
            name: "PhoneProofHummingbird",
            dependencies: [
                "PhoneProofClient",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),

        // JSON, base64, hexadecimal and percent-encoding; with YAML and URLs for every adapter.
        .target(name: "CoreEncodings", swiftSettings: settings),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(name: "TextEncodings", dependencies: ["CYAML", "CoreEncodings"], swiftSettings: settings),

        // Every text that a person reads, one file for each language.
        .target(name: "Texts", dependencies: ["PhoneDomain"], swiftSettings: settings),

        // Spans of swift-distributed-tracing in the trace that the domain carries (`TraceParent`).
        .target(
            name: "TraceContext",
            dependencies: [
                "PhoneDomain",
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),

        // Adapters: each knows the domain and its own library, none knows another.
        .target(
            name: "Telemetry",
            dependencies: [
                "PhoneDomain", "TextEncodings", "TraceContext",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "OpenSSLCrypto",
            dependencies: ["COpenSSL", "PhoneAccounts", "PhoneDomain", "TextEncodings"],
            swiftSettings: settings
        ),
        .target(
            name: "Records",
            dependencies: ["PhoneAccounts", "PhoneAdministration", "PhoneDomain"],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "SQLiteStore",
            dependencies: ["CSQLite", "PhoneAdministration", "PhoneDomain", "Records"],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "PostgreSQLStore",
            dependencies: ["CPostgreSQL", "PhoneAdministration", "PhoneDomain", "Records"],
            swiftSettings: settings
        ),
        .target(
            name: "PhoneDelivery",
            dependencies: [
                "PhoneAccounts", "PhoneAdministration", "PhoneDomain", "TextEncodings", "Texts", "TraceContext",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .target(name: "COpenAPI"),
        .target(
            name: "PhoneHTTP",
            dependencies: [
                "COpenAPI", "PhoneAccounts", "PhoneAdministration", "PhoneDomain", "PhoneViewModel", "TextEncodings",
                "Texts", "TraceContext",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            exclude: ["OpenAPI/openapi.yaml", "OpenAPI/openapi-admin.yaml"],
            swiftSettings: settings
        ),
        // The fake SMS vendor. It posts callbacks with the client of the gateways and is a gateway itself, in process.
        .target(
            name: "SMSStub",
            dependencies: [
                "PhoneDelivery", "PhoneDomain", "PhoneHTTP", "TextEncodings", "Texts",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PhoneCLI",
            dependencies: [
                "CoreEncodings", "PhoneAdministration", "PhoneDomain", "PhoneProofAsyncHTTPClient",
                "PhoneProofClient", "PhoneViewModel", "TextEncodings", "Texts",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            swiftSettings: settings
        ),

        // What can be set: the key, type, default, range and sentence of each setting.
        .target(
            name: "PhoneSettings",
            dependencies: [
                "OpenSSLCrypto", "PhoneAccounts", "PhoneDelivery", "PhoneDomain", "PhoneHTTP", "Telemetry",
                "TextEncodings",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        // What answers in somebody else's words: each may be deleted.
        .target(
            name: "PhoneDock",
            dependencies: [
                "PhoneAccounts", "PhoneAdministration", "PhoneDomain", "PhoneHTTP", "PhoneSettings", "Records",
                "TextEncodings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "TwilioVerify",
            dependencies: [
                // SMSStub, since Twilio's APIs have one form of errors.
                "PhoneAccounts", "PhoneAdministration", "PhoneDock", "PhoneDomain", "PhoneHTTP", "PhoneSettings",
                "Records", "SMSStub", "TextEncodings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SupabaseAuth",
            dependencies: [
                "PhoneAccounts", "PhoneDock", "PhoneDomain", "PhoneHTTP", "PhoneSettings", "Records", "TextEncodings",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "AuthHooks",
            dependencies: [
                "OpenSSLCrypto", "PhoneAccounts", "PhoneDock", "PhoneDomain", "PhoneHTTP", "PhoneSettings", "Records",
                "TextEncodings", "Texts",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Console",
            dependencies: [
                "PhoneAccounts", "PhoneAdministration", "PhoneDock", "PhoneDomain", "PhoneHTTP", "PhoneSettings",
                "Records", "TextEncodings",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Firebase",
            dependencies: [
                "OpenSSLCrypto", "PhoneAccounts", "PhoneDock", "PhoneDomain", "PhoneSettings", "TextEncodings",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "OneTimePasswordSMS",
            dependencies: [
                "PhoneAccounts", "PhoneDock", "PhoneDomain", "PhoneHTTP", "PhoneSettings", "TextEncodings",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // The only place where adapters meet: builds a service from its settings.
        .target(
            name: "PhoneService",
            dependencies: [
                "AuthHooks", "Console", "Firebase", "OneTimePasswordSMS", "OpenSSLCrypto", "PhoneAccounts",
                "PhoneAdministration", "PhoneCLI", "PhoneDelivery", "PhoneDock", "PhoneDomain", "PhoneHTTP",
                "PhoneSettings", "PhoneViewModel", "PostgreSQLStore", "Records", "SMSStub", "SQLiteStore",
                "SupabaseAuth", "Telemetry", "TextEncodings", "Texts", "TwilioVerify",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        // Commands, which parse their arguments and call.
        .executableTarget(
            name: "phoneproof",
            dependencies: [
                "OpenSSLCrypto", "PhoneAccounts", "PhoneAdministration", "PhoneCLI", "PhoneDelivery", "PhoneDock",
                "PhoneDomain", "PhoneHTTP", "PhoneService", "PhoneSettings", "PhoneViewModel", "PostgreSQLStore",
                "Records", "SMSStub", "SQLiteStore", "TextEncodings", "Texts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),

        // Shared by the tests: fakes of the ports, the end of what hangs, and the suite that every store must pass.
        .target(
            name: "PhoneTestSupport",
            dependencies: [
                "PhoneAccounts", "PhoneAdministration", "PhoneDomain", "Records", "SQLiteStore",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/PhoneTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "DockTestSupport",
            dependencies: [
                "PhoneAccounts", "PhoneAdministration", "PhoneDock", "PhoneDomain", "PhoneHTTP", "PhoneSettings",
                "PhoneTestSupport", "Records", "TextEncodings",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/DockTestSupport",
            swiftSettings: settings
        ),
        .target(name: "HangLimit", path: "Tests/HangLimit", swiftSettings: settings),
        .target(
            name: "StoreSuite",
            dependencies: ["PhoneAccounts", "PhoneAdministration", "PhoneDomain", "PhoneTestSupport", "Records"],
            path: "Tests/StoreSuite",
            swiftSettings: settings
        ),

        // Pumping attacks amid people, for a test and for scripts/measure/fraud.
        .target(
            name: "PumpingSimulation",
            dependencies: ["PhoneDomain", "PhoneTestSupport", "Records"],
            path: "Tests/PumpingSimulation",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "FraudSimulator",
            dependencies: ["PhoneDomain", "PumpingSimulation"],
            path: "Tests/FraudSimulator",
            swiftSettings: settings
        ),

        // Started by scripts/bench: the least that others need for the same work, and single operations in a loop.
        .executableTarget(
            name: "BenchmarkFloor",
            dependencies: [
                "CSQLite", "PhoneDomain", "PhoneHTTP",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/Benchmarks/Floor",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "BenchmarkWork",
            dependencies: [
                "OpenSSLCrypto", "PhoneAccounts", "PhoneDelivery", "PhoneDomain", "PhoneHTTP", "PhoneViewModel",
                "SQLiteStore", "TextEncodings",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/Benchmarks/Work",
            swiftSettings: settings
        ),

        // Hostile bodies for all routes, counted by callgrind.
        .target(name: "Counter", path: "Tests/HostileBodies/Counter"),
        .executableTarget(
            name: "HostileBodies",
            dependencies: [
                "Counter", "PhoneAccounts", "PhoneDomain", "PhoneHTTP", "PhoneService", "PhoneSettings",
                "TextEncodings", "TwilioVerify",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/HostileBodies/Program",
            swiftSettings: settings
        ),

        .testTarget(
            name: "PhoneNumbersTests",
            dependencies: ["PhoneNumbers", "PhoneTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneDomainTests",
            dependencies: [
                "PhoneAccounts", "PhoneAdministration", "PhoneDomain", "PhoneTestSupport", "PumpingSimulation",
                "Records",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneAccountsTests",
            dependencies: ["PhoneAccounts", "PhoneDomain", "PhoneTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneAdministrationTests",
            dependencies: ["PhoneAdministration", "PhoneDomain", "PhoneTestSupport", "Records", "StoreSuite"],
            swiftSettings: settings
        ),
        // Answers scripts/numbers/compare.
        .executableTarget(
            name: "NumberOracle",
            dependencies: ["PhoneNumbers"],
            path: "Tests/NumberOracle",
            swiftSettings: settings
        ),
        .testTarget(
            name: "TextsTests",
            dependencies: ["PhoneDomain", "PhoneTestSupport", "Texts"],
            swiftSettings: settings
        ),
        .testTarget(name: "TextEncodingsTests", dependencies: ["TextEncodings"], swiftSettings: settings),
        .testTarget(name: "ReactiveTests", dependencies: ["HangLimit", "Reactive"], swiftSettings: settings),
        .testTarget(
            name: "PhoneViewModelTests",
            dependencies: [
                "HangLimit", "PhoneDomain", "PhoneSignup", "PhoneTestSupport", "PhoneViewModel", "Reactive",
                "Records",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OpenSSLCryptoTests",
            dependencies: [
                "COpenSSL", "OpenSSLCrypto", "PhoneAccounts", "PhoneDomain", "PhoneTestSupport", "Records",
                "TextEncodings",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "CSQLite", "HangLimit", "PhoneAdministration", "PhoneDomain", "PhoneTestSupport", "Records",
                "SQLiteStore", "StoreSuite",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PostgreSQLStoreTests",
            dependencies: [
                "CPostgreSQL", "PhoneAdministration", "PhoneDomain", "PhoneTestSupport", "PostgreSQLStore", "Records",
                "StoreSuite",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "PhoneDomain", "PhoneTestSupport", "Records", "Telemetry", "TraceContext",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneDeliveryTests",
            dependencies: [
                "HangLimit", "OpenSSLCrypto", "PhoneAccounts", "PhoneAdministration", "PhoneDelivery", "PhoneDomain",
                "PhoneTestSupport", "Records", "SMSStub", "Telemetry", "TextEncodings", "Texts",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneHTTPTests",
            dependencies: [
                "OpenSSLCrypto", "PhoneAccounts", "PhoneAdministration", "PhoneDelivery", "PhoneDomain", "PhoneHTTP",
                "PhoneTestSupport", "PhoneViewModel", "Records", "SMSStub", "SQLiteStore", "Telemetry",
                "TextEncodings", "Texts",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TwilioVerifyTests",
            dependencies: [
                "DockTestSupport", "PhoneAccounts", "PhoneAdministration", "PhoneDock", "PhoneDomain",
                "PhoneTestSupport", "Records", "TextEncodings", "TwilioVerify",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SupabaseAuthTests",
            dependencies: [
                "DockTestSupport", "OpenSSLCrypto", "PhoneAccounts", "PhoneDock", "PhoneDomain", "PhoneHTTP",
                "PhoneSettings", "PhoneTestSupport", "Records", "SupabaseAuth", "TextEncodings",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AuthHooksTests",
            dependencies: [
                "AuthHooks", "DockTestSupport", "OpenSSLCrypto", "PhoneDomain", "PhoneSettings", "PhoneTestSupport",
                "Records", "TextEncodings",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Console", "DockTestSupport", "PhoneAccounts", "PhoneAdministration", "PhoneDomain", "PhoneHTTP",
                "PhoneSettings", "PhoneTestSupport", "Records",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OneTimePasswordSMSTests",
            dependencies: [
                "DockTestSupport", "OneTimePasswordSMS", "PhoneAccounts", "PhoneDomain", "PhoneTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneProofClientTests",
            dependencies: ["CoreEncodings", "PhoneNumbers", "PhoneProofClient", "PhoneSignup", "PhoneViewModel"],
            swiftSettings: settings
        ),
        // Started by test_client.py.
        .executableTarget(
            name: "ClientDriver",
            dependencies: [
                "PhoneNumbers", "PhoneProofAsyncHTTPClient", "PhoneProofClient", "PhoneSignup",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            path: "Tests/ClientDriver",
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneCLITests",
            dependencies: [
                "HangLimit", "PhoneAccounts", "PhoneAdministration", "PhoneCLI", "PhoneDomain", "PhoneProofClient",
                "PhoneTestSupport", "PhoneViewModel", "TextEncodings", "Texts",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneSettingsTests",
            dependencies: ["PhoneDelivery", "PhoneDomain", "PhoneSettings"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PhoneServiceTests",
            dependencies: [
                "OpenSSLCrypto", "PhoneDomain", "PhoneHTTP", "PhoneService", "PhoneSettings",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ]
)

// A package that needs the libraries for apps alone depends on this one with `traits: []`. Every dependency is then
// unused, and SwiftPM resolves and fetches none.
let traits: [String: Set<String>] = [
    "PhoneProofClient": ["AccessTokens"],
    "PhoneProofAsyncHTTPClient": ["AsyncHTTPClient", "Server"],
    "PhoneProofHummingbird": ["Hummingbird"],
]
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package?, _, _) = dependency else { return dependency }
        return .product(name: name, package: package, condition: .when(traits: traits[target.name] ?? ["Server"]))
    }
}
