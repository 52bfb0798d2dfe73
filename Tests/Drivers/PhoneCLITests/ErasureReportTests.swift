import PhoneAdministration
import PhoneCLI
import PhoneDomain
import Testing

@Suite struct ErasureReportTests {
    private let number: PhoneNumber
    private var erasure = Erasure()

    init() throws {
        number = try PhoneNumber(e164: "+821012345678")
        (erasure.accounts, erasure.verifications, erasure.messages) = (1, 12, 13)
        (erasure.signups, erasure.limitMeters, erasure.auditEntries) = (2, 0, 40)
        (erasure.answers, erasure.sessions, erasure.numberChanges) = (1, 3, 2)
        (erasure.rows, erasure.metadata) = (["number_activity": 1, "note": 4], 5)
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
                Limits                    0
                Stored responses          1
                Other accounts' metadata  5
                Audit entries unlinked    40
                note                      4
                """
        )
        #expect(
            ErasureReport(Erasure(), of: number, filesAreClean: true).text == "No data found for +82 10-****-5678."
        )
    }

    @Test func `what was erased is JSON without the number`() {
        #expect(
            ErasureReport(erasure, of: number, filesAreClean: false).json
                == #"{"accounts":1,"sessions":3,"number_changes":2,"verifications":12,"messages":13,"signups":2,"#
                + #""number_activities":1,"guard_rules":0,"limit_meters":0,"answers":1,"#
                + #""account_metadata":5,"audit_entries":40,"note":4,"files_are_clean":false}"#
        )
    }
}
