import PhoneAdministration
import PhoneCLI
import Testing

@Suite struct CopyReportTests {
    private func tally(_ count: Int, digest: UInt8) -> RecordTally {
        var tally = RecordTally()
        for index in 0..<count {
            let end = index == 0 ? digest : 0
            tally.add(RecordDigest(bytes: [end] + Array(repeating: 0, count: 30) + [end]))
        }
        return tally
    }

    private func report() -> CopyReport {
        let (one, other, more) = (tally(1, digest: 1), tally(1, digest: 2), tally(12, digest: 1))
        return CopyReport(
            CopyResult(
                parts: [
                    CopyResult.Part(kind: "account", copied: one, source: one, target: one),
                    CopyResult.Part(kind: "verification", copied: more, source: more, target: one),
                    CopyResult.Part(kind: "signup", copied: one, source: one, target: other),
                    CopyResult.Part(kind: "meter", copied: one, source: more, target: one),
                ],
                heldBefore: 3
            )
        )
    }

    @Test func `a table for people`() {
        #expect(
            report().text == """
                KIND          SOURCE  TARGET  DIGEST            RESULT
                account       1       1       0100000000000000  same
                verification  12      1       0100000000000000  different
                signup        1       1       0200000000000000  different
                meter         12      1       0100000000000000  changed
                """
        )
    }

    @Test func `an object for programs`() throws {
        let zeros = String(repeating: "0", count: 60)
        let one = #""digest":"01\#(zeros)01""#
        let two = #""digest":"02\#(zeros)02""#
        #expect(
            report().json
                == #"{"is_complete":false,"held_before":3,"records":["#
                + #"{"kind":"account","source":{"count":1,\#(one)},"target":{"count":1,\#(one)},"result":"same"},"#
                + #"{"kind":"verification","source":{"count":12,\#(one)},"target":{"count":1,\#(one)},"result":"different"},"#
                + #"{"kind":"signup","source":{"count":1,\#(one)},"target":{"count":1,\#(two)},"result":"different"},"#
                + #"{"kind":"meter","source":{"count":12,\#(one)},"target":{"count":1,\#(one)},"result":"changed"}]}"#
        )
    }
}

@Suite struct CopyMeterTests {
    private func progress(_ done: Int, of total: Int, _ kind: String = "verification") -> CopyProgress {
        CopyProgress(phase: .copying, kind: kind, done: done, total: total)
    }

    @Test func `in a terminal a line is drawn over itself and taken away at the end`() {
        var meter = CopyMeter(redraws: true)
        let shown = [
            meter.text(for: progress(1000, of: 3000)), meter.text(for: progress(1000, of: 3000)),
            meter.text(for: progress(3000, of: 3000)),
            meter.text(for: CopyProgress(phase: .checking, kind: "audit_entry", done: 999, total: 1000)), meter.end(),
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
        #expect(meter.text(for: progress(5, of: 5, "account")) == "copying account: 100 % of 5\n")
        #expect(meter.end() == "")
    }

    @Test func `what has grown since it was counted is 100 percent`() {
        var meter = CopyMeter(redraws: false)
        #expect(meter.text(for: progress(7, of: 5)) == "copying verification: 100 % of 5\n")
        #expect(meter.text(for: progress(1, of: 0, "meter")) == "copying meter: 100 % of 0\n")
    }
}
