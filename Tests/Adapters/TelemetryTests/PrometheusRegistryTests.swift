import CoreMetrics
import Telemetry
import Testing

@Suite struct PrometheusRegistryTests {
    private static let families = [
        MetricFamily("a_total", .counter, labels: ["kind", "where"], help: "What \"a\" is.\nAnd \\."),
        MetricFamily("b", .gauge, help: "B."),
        MetricFamily("c_seconds", .histogram(bounds: [0.1, 1]), labels: ["kind"], help: "C."),
        MetricFamily("d_total", .counter, help: "D."),
    ]

    private let registry = PrometheusRegistry(families)

    private func counter(_ kind: String, _ place: String) -> Counter {
        Counter(label: "a_total", dimensions: [("where", place), ("kind", kind)], factory: registry)
    }

    private func fill() {
        counter("x", "here").increment(by: 3)
        counter("x", "here").increment()
        counter("a", "say \"no\"\\\n").increment()
        Meter(label: "b", factory: registry).set(-1.5)
        let timer = Timer(label: "c_seconds", dimensions: [("kind", "x")], factory: registry)
        timer.recordNanoseconds(100_000_000)
        timer.recordMilliseconds(500)
        timer.recordSeconds(2)
    }

    @Test func `what was counted is shown in the text format`() {
        fill()
        #expect(
            registry.text() == #"""
                # HELP a_total What "a" is.\nAnd \\.
                # TYPE a_total counter
                a_total{kind="a",where="say \"no\"\\\n"} 1
                a_total{kind="x",where="here"} 4
                # HELP b B.
                # TYPE b gauge
                b -1.5
                # HELP c_seconds C.
                # TYPE c_seconds histogram
                c_seconds_bucket{kind="x",le="0.1"} 1
                c_seconds_bucket{kind="x",le="1.0"} 2
                c_seconds_bucket{kind="x",le="+Inf"} 3
                c_seconds_sum{kind="x"} 2.6
                c_seconds_count{kind="x"} 3

                """#
        )
    }

    /// To Swift a quote and a mark that combines with it are one `Character`, which is no quote.
    @Test func `what combines with a quote or a line break does not hide it`() {
        counter("a", "\u{600}\"\u{301}\r\n").increment()
        let line = "a_total{kind=\"a\",where=\"\u{600}\\\"\u{301}\r\\n\"} 1"
        let lines = registry.text().unicodeScalars.split(separator: "\n")
        #expect(lines.contains { $0.elementsEqual(line.unicodeScalars) })
    }

    @Test func `OpenMetrics has a counter's suffix at its samples, and an end`() {
        fill()
        let lines = registry.text(.openMetrics).split(separator: "\n")
        #expect(lines.first == #"# HELP a What \"a\" is.\nAnd \\."#)
        #expect(lines.dropFirst().first == "# TYPE a counter")
        #expect(lines.contains(#"a_total{kind="x",where="here"} 4"#))
        #expect(lines.last == "# EOF")
    }

    @Test func `a reader gets what it asks for`() {
        #expect(ExpositionFormat(accept: nil) == .text)
        #expect(ExpositionFormat(accept: "*/*") == .text)
        let prometheus = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1"
        #expect(ExpositionFormat(accept: prometheus) == .openMetrics)
        #expect(ExpositionFormat.text.contentType == "text/plain; version=0.0.4; charset=utf-8")
    }

    @Test func `what is not described, or described otherwise, is not kept`() {
        Counter(label: "e_total", factory: registry).increment()
        Counter(label: "a_total", dimensions: [("kind", "x")], factory: registry).increment()
        Counter(label: "a_total", dimensions: [("kind", "x"), ("number", "1")], factory: registry).increment()
        Counter(
            label: "a_total",
            dimensions: [("kind", "x"), ("where", "y"), ("number", "1")],
            factory: registry
        ).increment()
        Counter(label: "b", factory: registry).increment()
        Timer(label: "b", factory: registry).recordSeconds(1)
        Meter(label: "c_seconds", dimensions: [("kind", "x")], factory: registry).set(1)
        #expect(registry.text() == "")
    }

    @Test func `beyond the limit of series all others are counted as one`() {
        let registry = PrometheusRegistry(Self.families, seriesLimit: 2)
        for kind in ["a", "b", "c", "d", "a", "other"] {
            Counter(label: "a_total", dimensions: [("kind", kind), ("where", "x")], factory: registry).increment()
        }
        #expect(
            registry.text().split(separator: "\n").dropFirst(2) == [
                #"a_total{kind="a",where="x"} 2"#, #"a_total{kind="b",where="x"} 1"#,
                #"a_total{kind="other",where="other"} 3"#,
            ]
        )
    }

    @Test func `a gauge that nobody has set, or set to no number, is not shown`() {
        let gauge = Meter(label: "b", factory: registry)
        #expect(!registry.text().contains("\nb "))
        gauge.increment(by: 2)
        gauge.decrement(by: 0.5)
        #expect(registry.text().contains("\nb 1.5\n"))
        gauge.set(Double.nan)
        #expect(!registry.text().contains("\nb "))
        gauge.set(Double.infinity)
        #expect(registry.text().contains("\nb +Inf\n"))
    }

    @Test func `a counter never falls`() {
        let counter = Counter(label: "d_total", factory: registry)
        counter.increment(by: 2)
        counter.increment(by: -1)
        counter.reset()
        counter.destroy()
        #expect(registry.text().hasSuffix("\nd_total 2\n"))
    }

    @Test func `nothing that is counted at once is lost`() async {
        await withTaskGroup { group in
            for index in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        counter("k\(index % 2)", "x").increment()
                        Meter(label: "b", factory: registry).increment()
                        Timer(label: "c_seconds", dimensions: [("kind", "x")], factory: registry).recordSeconds(3)
                    }
                }
            }
        }
        let text = registry.text()
        #expect(text.contains(#"a_total{kind="k0",where="x"} 4000"#))
        #expect(text.contains(#"a_total{kind="k1",where="x"} 4000"#))
        #expect(text.contains("\nb 8000\n"))
        #expect(text.contains(#"c_seconds_bucket{kind="x",le="1.0"} 0"#))
        #expect(text.contains(#"c_seconds_sum{kind="x"} 24000"#))
        #expect(text.contains(#"c_seconds_count{kind="x"} 8000"#))
    }

    @Test func `every metric of the service has a name as Prometheus wants it, and is described once`() {
        let names = MetricFamily.all.map(\.name)
        #expect(Set(names).count == names.count)
        for family in MetricFamily.all {
            #expect(family.name.wholeMatch(of: /(phoneproof|process)(_[a-z0-9]+)+/) != nil)
            #expect((family.kind == .counter) == family.name.hasSuffix("_total"))
            #expect(family.help.hasSuffix("."))
            for label in family.labels { #expect(label.wholeMatch(of: /[a-z]+/) != nil && label != "le") }
            if case .histogram(let bounds) = family.kind {
                #expect(bounds.count <= 16)
                #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }
}
