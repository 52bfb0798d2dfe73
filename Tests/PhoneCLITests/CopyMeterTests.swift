import PhoneCLI
import PhoneDomain
import Testing

@Suite struct CopyMeterTests {
    private func progress(_ done: Int, of total: Int, _ kind: RecordKind = .verification) -> CopyProgress {
        CopyProgress(phase: .copying, kind: kind, done: done, total: total)
    }

    @Test func `in a terminal a line is drawn over itself and taken away at the end`() {
        var meter = CopyMeter(redraws: true)
        let shown = [
            meter.text(for: progress(1000, of: 3000)), meter.text(for: progress(1000, of: 3000)),
            meter.text(for: progress(3000, of: 3000)),
            meter.text(for: CopyProgress(phase: .checking, kind: .auditEntry, done: 999, total: 1000)), meter.end(),
            meter.end(),
        ]
        #expect(
            shown == [
                "\r\u{1B}[Kcopying verification   1000 of 3000  [######--------------]  33 %", "",
                "\r\u{1B}[Kcopying verification   3000 of 3000  [####################] 100 %",
                "\r\u{1B}[Kchecking audit_entry   999 of 1000  [###################-]  99 %", "\r\u{1B}[K", "",
            ]
        )
    }

    @Test(arguments: [
        (66, "copying verification   1000 of 3000  [######--------------]  33 %"),
        (65, "copying verification   1000 of 3000"), (20, "copying verificatio"), (2, "c"),
    ])
    func `a line is never wrapped`(columns: Int, line: String) {
        var meter = CopyMeter(redraws: true, columns: columns)
        #expect(meter.text(for: progress(1000, of: 3000)) == "\r\u{1B}[K" + line)
    }

    @Test func `elsewhere there is a line for every tenth`() {
        var meter = CopyMeter(redraws: false)
        let shown = [9, 10, 11, 19, 20, 57, 100].map { meter.text(for: progress($0, of: 100)) }
        #expect(
            shown == [
                "", "copying verification: 10 % of 100\n", "", "", "copying verification: 20 % of 100\n",
                "copying verification: 50 % of 100\n", "copying verification: 100 % of 100\n",
            ]
        )
        #expect(meter.text(for: progress(5, of: 5, .account)) == "copying account: 100 % of 5\n")
        #expect(meter.end() == "")
    }

    @Test func `what has grown since it was counted is 100 percent`() {
        var meter = CopyMeter(redraws: false)
        #expect(meter.text(for: progress(7, of: 5)) == "copying verification: 100 % of 5\n")
        #expect(meter.text(for: progress(1, of: 0, .meter)) == "copying meter: 100 % of 0\n")
    }
}
