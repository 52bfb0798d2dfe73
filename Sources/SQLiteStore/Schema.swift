import GRDB

/// The tables, and how they came to be: a migration that has been released is never changed, a new one is added.
///
/// - Identifiers are kept as text, as logs and the API write them (`ver_0123…`), so that an operator finds a row by
///   what a log says, and no identifier of one kind is ever taken for one of another. As 16 bytes each would save 20.
/// - Moments are milliseconds since 1970-01-01T00:00:00Z.
/// - Rows are found by their identifier and no other number; WITHOUT ROWID saves the second search.
/// - Accounts outlive the verifications that made them, and verifications the signups they belong to or the other way
///   round, so `account.created_by` and `signup.verification_id` are no foreign keys.
enum Schema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: version1)
        }
        // What is still pending, by its end: few rows, however many there are.
        migrator.registerMigration("2") { db in
            try db.execute(
                sql: "CREATE INDEX verification_pending ON verification (expires_at) WHERE status = 'pending'"
            )
        }
        return migrator
    }()

    private static let version1 = """
        CREATE TABLE account (
            id TEXT PRIMARY KEY,
            e164 TEXT NOT NULL UNIQUE,
            created_at INTEGER NOT NULL,
            created_by TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE verification (
            id TEXT PRIMARY KEY,
            e164 TEXT NOT NULL,
            owner TEXT NOT NULL,
            channel TEXT NOT NULL,
            language TEXT NOT NULL,
            code_key_id TEXT NOT NULL,
            code_mac BLOB NOT NULL,
            code_ciphertext BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            next_send_at INTEGER NOT NULL,
            sends_left INTEGER NOT NULL CHECK (sends_left >= 0),
            checks_left INTEGER NOT NULL CHECK (checks_left >= 0),
            status TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            consumed_by TEXT REFERENCES account (id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX verification_live ON verification (e164, owner, expires_at);
        CREATE INDEX verification_end ON verification (max(expires_at, updated_at));

        -- recent_sends is a JSON array of moments: at most a hundred, always read and written as one.
        CREATE TABLE number_activity (
            e164 TEXT PRIMARY KEY,
            recent_sends TEXT NOT NULL,
            sends_in_run INTEGER NOT NULL,
            consecutive_failures INTEGER NOT NULL,
            last_failure_at INTEGER,
            silent_since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX number_activity_silent_since ON number_activity (silent_since);

        CREATE TABLE outbox_message (
            id TEXT PRIMARY KEY,
            verification_id TEXT NOT NULL REFERENCES verification (id),
            created_at INTEGER NOT NULL,
            status TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            next_attempt_at INTEGER NOT NULL,
            gateway TEXT,
            gateway_message_id TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outbox_message_verification ON outbox_message (verification_id);
        -- Only what is still owed: the index stays small however many messages were sent.
        CREATE INDEX outbox_message_due ON outbox_message (next_attempt_at, created_at, id) WHERE status = 'queued';

        CREATE TABLE signup (
            id TEXT PRIMARY KEY,
            token_digest BLOB NOT NULL,
            region TEXT NOT NULL,
            language TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            phone_text TEXT NOT NULL,
            code_text TEXT NOT NULL,
            verification_id TEXT,
            is_complete INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX signup_expires_at ON signup (expires_at);
        """
}
