import PhoneCLI
import PhoneDomain
import Testing

@Suite struct ErasureReportTests {
    private let number: PhoneNumber
    private var erasure = Erasure()

    init() throws {
        number = try PhoneNumber(e164: "+821012345678")
        (erasure.accounts, erasure.verifications, erasure.messages, erasure.activities) = (1, 12, 13, 1)
        (erasure.signups, erasure.limitMeters, erasure.auditEntries) = (2, 0, 40)
        (erasure.answers, erasure.sessions, erasure.numberChanges) = (1, 3, 2)
        (erasure.safeNumbers, erasure.metadata) = (4, 5)
    }

    @Test func `what was erased is a table`() {
        #expect(
            ErasureReport(erasure, of: number, filesAreClean: true).text == """
                Accounts                  1
                Sessions                  3
                Number changes            2
                Verifications             12
                Messages                  13
                Signups                   2
                Activity                  1
                Guard rules               0
                Safe lists                4
                Limits                    0
                Stored responses          1
                Other accounts' metadata  5
                Audit entries unlinked    40
                """
        )
        #expect(
            ErasureReport(Erasure(), of: number, filesAreClean: true).text == "No data found for +82 10-****-5678."
        )
    }

    @Test func `what was erased is JSON without the number`() throws {
        #expect(
            try ErasureReport(erasure, of: number, filesAreClean: false).json()
                == #"{"account_metadata":5,"accounts":1,"answers":1,"audit_entries":40,"files_are_clean":false,"guard_rules":0,"#
                + #""limit_meters":0,"messages":13,"number_activities":1,"number_changes":2,"safe_numbers":4,"sessions":3,"#
                + #""signups":2,"verifications":12}"#
        )
    }
}
