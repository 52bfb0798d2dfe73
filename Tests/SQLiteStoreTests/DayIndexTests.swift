import GRDB
import PhoneDomain
import Testing

@testable import SQLiteStore

@Suite struct DayIndexTests {
    @Test func `SQLite computes the days that are searched`() async throws {
        let moments: [Int64] = [
            -86_400_001, -86_400_000, -1, 0, 1, 86_399_999, 86_400_000, 1_767_225_599_999, 1_767_225_600_000,
        ]
        let store = try SQLiteStore.inMemory()
        let days = try await store.writer.connection.write { db in
            for at in moments {
                try db.execute(
                    sql: "INSERT INTO audit_entry (at, action, reasons) VALUES (?, 'begin', '')",
                    arguments: [at]
                )
            }
            return try Int64.fetchAll(db, sql: "SELECT day FROM audit_entry ORDER BY id")
        }
        #expect(days == moments.map { DayIndex.day(of: Timestamp(milliseconds: $0)) })
        #expect(days == [-1, -1, 0, 0, 0, 0, 1, 20_453, 20_454])
    }

    @Test func `the days that there are are gone through, the newest first`() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.writer.connection.write { db in
            func days(from first: Int64 = .min, through last: Int64 = .max, until end: Int64? = nil) throws -> [Int64] {
                var days: [Int64] = []
                let found = try DayIndex.auditEntries.first(in: db, from: first, through: last) { day in
                    days.append(day)
                    return day == end ? day : nil
                }
                #expect(found == end)
                return days
            }
            #expect(try days() == [])
            for day: Int64 in [3, 5, 5, 9] {
                try db.execute(
                    sql: "INSERT INTO audit_entry (at, action, reasons) VALUES (?, 'begin', '')",
                    arguments: [day * 86_400_000]
                )
            }
            #expect(try days() == [9, 5, 3])
            #expect(try days(until: 5) == [9, 5])
            #expect(try days(from: 4) == [9, 5])
            #expect(try days(from: 5, through: 8) == [5])
            #expect(try days(from: 6, through: 8) == [])
            #expect(try days(from: 5, through: 3) == [])
        }
    }
}
