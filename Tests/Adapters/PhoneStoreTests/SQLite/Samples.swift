import CSQLite
import PhoneDomain
import PhoneNumbers
import PhoneSignup

@testable import PhoneStore

/// A signup of this number.
func sampleSignup(_ number: Int, phoneText: String = "") -> Signup {
    Signup(
        id: Signup.ID(bits: 0, UInt64(number)),
        tokenDigest: [1],
        region: .korea,
        language: .korean,
        createdAt: Timestamp(seconds: 0),
        expiresAt: Timestamp(seconds: 3600),
        phoneText: phoneText,
        verificationID: nil
    )
}

/// An entry of the audit log of this moment.
func sampleEntry(at moment: Timestamp) -> AuditEntry {
    AuditEntry(at: moment, action: .begin, owner: nil)
}

extension SQLiteStore {
    /// Does a command in a batch.
    func change<Value: Sendable>(_ work: @escaping @Sendable (CommandSession) throws -> Value) async throws -> Value {
        try await execute(.change, work)
    }

    func insert(_ signup: Signup) async throws {
        try await change { try $0.put(signup) }
    }

    /// Runs a script between two batches.
    func execute(_ script: String) throws {
        try writer.connection.sync { try $0.execute(script) }
    }

    /// The first column of every row.
    func column(_ sql: String) throws -> [SQLValue] {
        try writer.connection.sync { db in
            var values: [SQLValue] = []
            try db.forEach(SQL(raw: sql)) { values.append($0[0]) }
            return values
        }
    }

    /// How SQLite searches for what each of these statements asks, with the statement behind it.
    func plans(of statements: [String]) throws -> [String] {
        try writer.connection.sync { db in
            var plans: [String] = []
            for sql in statements {
                let explanation = try db.prepare("EXPLAIN QUERY PLAN " + sql)
                var row = Row()
                while try explanation.step() {
                    explanation.read(into: &row)
                    if case .text(let detail) = row[3] { plans.append("\(detail) IN \(sql)") }
                }
            }
            return plans
        }
    }
}

extension SQLiteConnection {
    /// The texts of all statements that are compiled.
    var compiledTexts: [String] {
        var texts: [String] = []
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            if let text = sqlite3_sql(statement) { texts.append(String(cString: text)) }
            next = sqlite3_next_stmt(handle, statement)
        }
        return texts
    }
}

extension Identifier {
    /// In a statement.
    var literal: String { "x'\(description.split(separator: "_").last ?? "")'" }
}
