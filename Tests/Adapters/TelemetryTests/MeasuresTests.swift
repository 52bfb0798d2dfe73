import CoreMetrics
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Telemetry
import Testing

/// What is counted of verifications, of the store and of the process.
@Suite struct MeasuresTests {
    private let registry = PrometheusRegistry(MetricFamily.all)
    private let clock = ManualClock()
    private let context = RequestContext(owner: .local, region: .korea, language: .korean)

    private func useCase(_ store: MemoryStore, limits: LimitPolicy = .none) throws -> VerificationUseCase {
        try VerificationUseCase.plain(
            over: store,
            abusePolicy: AbusePolicy(limits: limits, trafficGuard: .standard, testNumbers: .none),
            clock: clock,
            observer: UseCaseMeasures(metrics: registry, tracer: nil)
        )
    }

    /// The samples of these metrics, in order.
    private func samples(_ names: String...) -> [String] {
        registry.text().split(separator: "\n").map(String.init).filter { line in
            names.contains { line.hasPrefix("phoneproof_\($0)") }
        }
    }

    @Test func `account events are counted apart from verifications`() {
        let measures = StoreMeasures(registry)
        for action in AuditEntry.Action.allCases {
            measures.observe(AuditEntry(at: clock.now(), action: action, owner: .local))
        }
        #expect(
            samples("accounts_total")
                == [
                    "change_undone", "decided_new_account", "decided_sign_in", "deleted", "deletion_requested",
                    "number_changed", "number_left",
                    "refresh_token_reused", "sign_in_key_added", "sign_in_key_removed", "signed_in_by_key",
                    "signed_out",
                    "unlinked",
                ].map { #"phoneproof_accounts_total{event="\#($0)"} 1"# }
        )
        #expect(samples("verifications_total").count == 10)
    }

    @Test func `what was done and refused is counted by what it was, and by no number`() async throws {
        let store = MemoryStore(observer: StoreMeasures(registry))
        let useCase = try useCase(store)
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        _ = try? await useCase.requestCode(for: "010-1234-5678", context: context)
        _ = try? await useCase.requestCode(for: "12", context: context)
        _ = try? await useCase.check("654321", for: .id(begun.id), context: context)
        _ = try? await useCase.check("1", for: .id(begun.id), context: context)
        // What nobody has asked for is no refusal of a client.
        var unobserved = useCase
        unobserved.observer = Unobserved()
        _ = try? await unobserved.check("1", for: .id(begun.id), context: context)
        _ = try await useCase.check("123456", for: .id(begun.id), context: context)
        _ = try await useCase.signUp("123456", for: begun.id, context: context)
        _ = try? await useCase.cancel(begun.id, owner: .local)
        clock.advance(by: .seconds(3600))
        let late = try await useCase.requestCode(for: "010-8765-4321", context: context)
        clock.advance(by: .seconds(3600))
        _ = try? await useCase.check("123456", for: .id(late.id), context: context)
        #expect(
            samples("verifications_total", "refusals_total", "limits_hit", "guard_verdicts") == [
                #"phoneproof_verifications_total{outcome="approved",region="KR"} 1"#,
                #"phoneproof_verifications_total{outcome="begun",region="KR"} 2"#,
                #"phoneproof_verifications_total{outcome="signed_up",region="KR"} 1"#,
                #"phoneproof_verifications_total{outcome="wrong_code",region="KR"} 1"#,
                #"phoneproof_refusals_total{operation="cancel",code="verification_closed"} 1"#,
                #"phoneproof_refusals_total{operation="check",code="code_expired"} 1"#,
                #"phoneproof_refusals_total{operation="check",code="code_incorrect"} 1"#,
                #"phoneproof_refusals_total{operation="check",code="invalid_request"} 1"#,
                #"phoneproof_refusals_total{operation="request_code",code="invalid_phone_number"} 1"#,
                #"phoneproof_refusals_total{operation="request_code",code="resend_too_soon"} 1"#,
                #"phoneproof_guard_verdicts_total{action="allow",reason="sample_small"} 2"#,
            ]
        )
    }

    @Test func `a limit that is hit is counted by its name, whether thrown or returned`() async throws {
        var limits = LimitPolicy.none
        limits.sendsByService = [try #require(RateLimit("1/1h"))]
        let useCase = try useCase(MemoryStore(), limits: limits)
        _ = try await useCase.requestCode(for: "010-1234-5678", context: context)
        _ = try? await useCase.requestCode(for: "010-8765-4321", context: context)
        await #expect(throws: PhoneFailure.self) {
            try await useCase.begin("010-1111-2222", context: context)
        }
        #expect(
            samples("limits_hit", "refusals_total") == [
                #"phoneproof_refusals_total{operation="request_code",code="rate_limited"} 2"#,
                #"phoneproof_limits_hit_total{policy="service-sends-1h"} 2"#,
            ]
        )
    }

    @Test func `what is known at the start begins at 0`() {
        registry.beginAtZero(regions: [.korea], policies: ["service-budget-1d"], tables: ["account"])
        let names = MetricFamily.all.filter { $0.kind == .counter }.map(\.name)
        let begun = names.filter { name in registry.text().contains("\n# TYPE \(name) counter\n") }
        // The others begin where they are counted.
        #expect(
            begun == [
                "phoneproof_verifications_total", "phoneproof_accounts_total", "phoneproof_refusals_total",
                "phoneproof_limits_hit_total", "phoneproof_guard_verdicts_total",
                "phoneproof_store_unreadable_rows_total", "phoneproof_spans_exported_total",
                "phoneproof_spans_dropped_total",
            ]
        )
        for sample in [
            #"phoneproof_verifications_total{outcome="begun",region="KR"} 0"#,
            #"phoneproof_refusals_total{operation="check",code="unavailable"} 0"#,
        ] {
            #expect(samples("verifications_total", "refusals_total").contains(sample))
        }
        #expect(samples("limits_hit") == [#"phoneproof_limits_hit_total{policy="service-budget-1d"} 0"#])
    }

    @Test func `batches are measured by what they do`() {
        let measures = StoreMeasures(registry)
        measures.observe(StoreBatch(kind: .write, operations: 3, duration: .milliseconds(2), isFailed: false))
        measures.observe(StoreBatch(kind: .write, operations: 1, duration: .milliseconds(20), isFailed: true))
        measures.observe(StoreBatch(kind: .read, operations: 1, duration: .microseconds(200), isFailed: false))
        let lines = samples("store_batch")
        #expect(lines.contains(#"phoneproof_store_batch_duration_seconds_bucket{kind="write",le="0.0025"} 1"#))
        #expect(lines.contains(#"phoneproof_store_batch_duration_seconds_sum{kind="write"} 0.022"#))
        #expect(lines.contains(#"phoneproof_store_batch_operations_bucket{kind="write",le="2.0"} 1"#))
        #expect(lines.contains(#"phoneproof_store_batch_operations_sum{kind="write"} 4"#))
        #expect(lines.contains(#"phoneproof_store_batch_failures_total{kind="write"} 1"#))
        #expect(lines.contains(#"phoneproof_store_batch_duration_seconds_count{kind="read"} 1"#))
        #expect(lines.contains(#"phoneproof_store_batch_failures_total{kind="read"} 0"#))
    }

    @Test func `what the outbox owes and what share is approved is asked of the store`() async throws {
        let store = MemoryStore()
        let useCase = try useCase(store)
        let gauges = StoreGauges(
            metrics: registry,
            clock: clock,
            timeout: .seconds(60),
            backlog: { try await store.backlog() },
            traffic: { try await store.traffic(of: .service) },
            findings: {
                [
                    Finding("main", .failed, "refuses", kind: .gatewayRefuses),
                    Finding("main", .doubtful, "refuses, at 1 of 2 instances", kind: .gatewayRefuses),
                    Finding("guard", .doubtful, "its mode is shadow", kind: .guardOverridden), Finding("keys", "1 key"),
                ]
            }
        )
        await gauges.refresh()
        #expect(
            samples("finding").filter { !$0.hasSuffix(" 0") } == [
                #"phoneproof_finding{finding="gateway_refuses"} 2"#,
                #"phoneproof_finding{finding="guard_overridden"} 1"#,
            ]
        )
        #expect(samples("finding").count == Finding.Kind.allCases.count)
        #expect(
            samples("outbox", "conversion") == ["phoneproof_outbox_messages 0", "phoneproof_outbox_oldest_seconds 0"]
        )
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        clock.advance(by: .milliseconds(1500))
        _ = try await useCase.requestCode(for: "010-8765-4321", context: context)
        _ = try await useCase.check("123456", for: .id(begun.id), context: context)
        await gauges.refresh()
        #expect(
            samples("outbox", "conversion") == [
                #"phoneproof_conversion_ratio{window="1h"} 0.5"#, #"phoneproof_conversion_ratio{window="24h"} 0.5"#,
                "phoneproof_outbox_messages 2", "phoneproof_outbox_oldest_seconds 1.5",
            ]
        )
        // What a store that is away said last is shown for a minute.
        store.fail(with: Outage())
        clock.advance(by: .seconds(60))
        await gauges.refresh()
        #expect(samples("outbox").count == 2)
        clock.advance(by: .milliseconds(1))
        await gauges.refresh()
        #expect(samples("outbox", "conversion") == [])
        store.fail(with: nil)
        await gauges.refresh()
        #expect(samples("outbox").count == 2)
    }

    @Test func `a store that says nothing is not waited for, and is asked once`() async throws {
        let (questions, question) = AsyncStream<Void>.makeStream()
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let gauges = StoreGauges(
            metrics: registry,
            clock: clock,
            timeout: .zero,
            backlog: {
                question.yield()
                for await _ in answers {}
                return OutboxBacklog(count: 7, oldest: nil)
            },
            traffic: {
                question.finish()
                return .none
            },
            findings: { [] }
        )
        for _ in 0..<3 { await gauges.refresh() }
        #expect(samples("outbox", "conversion") == [])
        answer.finish()
        var asked = 0
        for await _ in questions { asked += 1 }
        #expect(asked == 1)
    }

    @Test func `the system's figures of this process make sense`() throws {
        func value(_ sample: String) throws -> Double {
            let line = registry.text().split(separator: "\n").first { $0.hasPrefix(sample + " ") }
            return try #require(line.flatMap { Double($0.dropFirst(sample.count + 1)) })
        }
        ProcessGauges(registry, version: "1.2.3").refresh()
        #expect(try value(#"phoneproof_build_info{version="1.2.3"}"#) == 1)
        #expect(try value("process_cpu_seconds_total") >= 0)
        let resident = try value("process_resident_memory_bytes")
        #expect(resident > 1_000_000)
        #expect(try value("process_virtual_memory_bytes") >= resident)
        #expect(try value("process_open_fds") >= 3)
        #expect(try value("process_max_fds") >= 3)
        // After 2020.
        #expect(try value("process_start_time_seconds") > 1_577_836_800)
    }

    private struct Outage: Error {}
}
