import PhoneCLI
import PhoneDomain
import Testing

@Suite struct CopyReportTests {
    private struct FixedDigester: RecordDigester {
        let last: UInt8

        func digest(of bytes: [UInt8]) throws -> RecordDigest {
            try #require(RecordDigest(bytes: [last] + Array(repeating: 0, count: 30) + [last]))
        }
    }

    private func tally(_ count: Int, digest: UInt8) throws -> RecordTally {
        var tally = RecordTally()
        for index in 0..<count { tally.add(try FixedDigester(last: index == 0 ? digest : 0).digest(of: [])) }
        return tally
    }

    private func report() throws -> CopyReport {
        let (one, other, more) = (try tally(1, digest: 1), try tally(1, digest: 2), try tally(12, digest: 1))
        return CopyReport(
            CopyResult(
                parts: [
                    CopyResult.Part(kind: .account, copied: one, source: one, target: one),
                    CopyResult.Part(kind: .verification, copied: more, source: more, target: one),
                    CopyResult.Part(kind: .signup, copied: one, source: one, target: other),
                    CopyResult.Part(kind: .meter, copied: one, source: more, target: one),
                ],
                heldBefore: 3
            )
        )
    }

    @Test func `a table for people`() throws {
        #expect(
            try report().text == """
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
            try report().json()
                == #"{"held_before":3,"is_complete":false,"records":["#
                + #"{"kind":"account","result":"same","source":{"count":1,\#(one)},"target":{"count":1,\#(one)}},"#
                + #"{"kind":"verification","result":"different","source":{"count":12,\#(one)},"target":{"count":1,\#(one)}},"#
                + #"{"kind":"signup","result":"different","source":{"count":1,\#(one)},"target":{"count":1,\#(two)}},"#
                + #"{"kind":"meter","result":"changed","source":{"count":12,\#(one)},"target":{"count":1,\#(one)}}]}"#
        )
    }
}
