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
        migrator.registerMigration("2") { db in
            try db.execute(sql: version2)
        }
        migrator.registerMigration("3") { db in
            try db.execute(sql: version3)
        }
        // What is still pending, by its end: few rows, however many there are.
        migrator.registerMigration("4") { db in
            try db.execute(
                sql: "CREATE INDEX verification_pending ON verification (expires_at) WHERE status = 'pending'"
            )
        }
        migrator.registerMigration("5") { db in
            try db.execute(sql: version5)
        }
        migrator.registerMigration("6") { db in
            try db.execute(sql: version6)
        }
        // What asked for a message, so that sending it belongs to the same trace.
        migrator.registerMigration("7") { db in
            try db.execute(sql: "ALTER TABLE outbox_message ADD COLUMN trace_parent TEXT")
        }
        migrator.registerMigration("8") { db in
            try db.execute(sql: version8)
        }
        // It makes a table anew that others refer to, which takes the deferred foreign key checks that are GRDB's standard.
        migrator.registerMigration("9") { db in
            try db.execute(sql: version9)
        }
        migrator.registerMigration("10") { db in
            try db.execute(sql: version10)
        }
        // No row changes; to look every reference of a large file up, which is GRDB's standard, would take minutes.
        migrator.registerMigration("11", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: version11)
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
            senders TEXT NOT NULL DEFAULT '',
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

    /// Messages know why they failed and which attempts count, and are found by status and by the gateway's name for them.
    private static let version2 = """
        ALTER TABLE outbox_message ADD COLUMN forgiven_attempts INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE outbox_message ADD COLUMN failure TEXT;
        CREATE INDEX outbox_message_status ON outbox_message (status, created_at, id);
        -- Only what a gateway has named. Not unique: a gateway that repeats itself must not stop the outbox.
        CREATE INDEX outbox_message_receipt ON outbox_message (gateway, gateway_message_id)
        WHERE gateway_message_id IS NOT NULL;
        """

    /// Defence against abuse. A code of before is taken to have been accepted by a gateway when it was made, which leaves
    /// its time as it was.
    ///
    /// - `rate_meter.full_at` is in microseconds, as ``RateMeter`` has it.
    /// - `traffic.hours` is a JSON array of `[hour, sent, approved, held back]`, at most 25 of them, always read and written as one.
    /// - An audit entry is never changed, only unlinked from the person it is about, and deleted when its time is over.
    private static let version3 = """
        ALTER TABLE verification ADD COLUMN code_ttl INTEGER NOT NULL DEFAULT 600000;
        ALTER TABLE verification ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE verification ADD COLUMN sent_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE verification ADD COLUMN accepted_at INTEGER;
        ALTER TABLE verification ADD COLUMN repeatable_by TEXT;
        UPDATE verification SET sent_at = created_at, accepted_at = created_at;
        ALTER TABLE outbox_message ADD COLUMN is_withheld INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE rate_meter (
            key TEXT PRIMARY KEY,
            full_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX rate_meter_full_at ON rate_meter (full_at);

        CREATE TABLE traffic (
            key TEXT PRIMARY KEY,
            hours TEXT NOT NULL,
            blocked_until INTEGER,
            refused_in_block INTEGER NOT NULL,
            silent_since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX traffic_silent_since ON traffic (silent_since);

        CREATE TABLE guard_rule (
            prefix TEXT PRIMARY KEY,
            action TEXT NOT NULL,
            until INTEGER,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX guard_rule_until ON guard_rule (until) WHERE until IS NOT NULL;

        CREATE TABLE audit_entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            action TEXT NOT NULL,
            owner TEXT,
            address TEXT,
            verification_id TEXT,
            masked_number TEXT,
            number_digest TEXT,
            prefix_digest TEXT,
            region TEXT,
            verdict TEXT,
            reasons TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_entry_at ON audit_entry (at);
        CREATE INDEX audit_entry_verification ON audit_entry (verification_id, at);
        CREATE INDEX audit_entry_number ON audit_entry (number_digest, at);
        CREATE INDEX audit_entry_owner ON audit_entry (owner, at);
        CREATE INDEX audit_entry_action ON audit_entry (action, at);
        CREATE INDEX audit_entry_prefix_digest ON audit_entry (prefix_digest) WHERE verdict IS NOT NULL;
        CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE ON audit_entry
        WHEN NEW.id <> OLD.id OR NEW.at <> OLD.at OR NEW.action <> OLD.action OR NEW.reasons <> OLD.reasons
            OR NEW.verdict IS NOT OLD.verdict OR NEW.region IS NOT OLD.region
            OR NEW.verification_id IS NOT OLD.verification_id
            OR (NEW.owner IS NOT NULL AND NEW.owner IS NOT OLD.owner) OR NEW.address IS NOT NULL OR NEW.masked_number IS NOT NULL
            OR NEW.number_digest IS NOT NULL OR NEW.prefix_digest IS NOT NULL
        BEGIN
            SELECT RAISE(ABORT, 'an audit entry can only be unlinked');
        END;
        """

    /// Programs that call are known by keys, and a request that comes again is answered as before.
    ///
    /// - `api_key.scopes` is a list with spaces between, never empty.
    /// - `idempotent_request.name` is the owner, a line break and the caller's key; a row without `status` is being worked on.
    private static let version5 = """
        CREATE TABLE api_key (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            digest BLOB NOT NULL,
            scopes TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE idempotent_request (
            name TEXT PRIMARY KEY,
            fingerprint TEXT NOT NULL,
            attempt INTEGER NOT NULL,
            lease_ends_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            status INTEGER,
            content_type TEXT NOT NULL,
            location TEXT,
            body TEXT NOT NULL,
            verification_id TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotent_request_expires_at ON idempotent_request (expires_at);
        CREATE INDEX idempotent_request_verification ON idempotent_request (verification_id)
        WHERE verification_id IS NOT NULL;
        """

    /// What is to be told to the operator's programs. An event refers to what it is about by no foreign key: that may go
    /// first, and the event goes when somebody comes to tell it.
    private static let version6 = """
        CREATE TABLE event (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            occurred_at INTEGER NOT NULL,
            status TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            forgiven_attempts INTEGER NOT NULL,
            next_attempt_at INTEGER NOT NULL,
            failure TEXT,
            trace_parent TEXT
        ) STRICT, WITHOUT ROWID;
        -- Only what is still to be told.
        CREATE INDEX event_due ON event (next_attempt_at, occurred_at, id) WHERE status = 'queued';
        CREATE INDEX event_status ON event (status, occurred_at, id);
        CREATE INDEX event_subject ON event (subject);
        """

    /// What access tokens are signed with; the private part is a ciphertext. Never more than a few rows.
    private static let version8 = """
        CREATE TABLE signing_key (
            id TEXT PRIMARY KEY,
            public_key BLOB NOT NULL,
            sealing_key_id TEXT NOT NULL,
            private_key_ciphertext BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            active_at INTEGER NOT NULL,
            gone_at INTEGER
        ) STRICT, WITHOUT ROWID;
        """

    /// What a signup gives, for the years after it. An account may have no number any more. Of the
    /// holders of those that there are nobody knows when they were last heard of: it counts from now, so that none is taken for
    /// dormant on the day of the upgrade.
    ///
    /// - `number_change.verification_id` and `outbox_message.number_change_id` are no foreign keys: either of the two may
    ///   go first.
    /// - `verification_consumed_by` also serves the foreign key, which would search the whole table for each account
    ///   that is deleted.
    /// - `account.metadata` is a JSON object.
    private static let version9 = """
        CREATE TABLE new_account (
            id TEXT PRIMARY KEY,
            e164 TEXT UNIQUE,
            phone_number_since INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            created_by TEXT NOT NULL,
            last_active_at INTEGER NOT NULL,
            metadata TEXT NOT NULL,
            deletion_due_at INTEGER
        ) STRICT, WITHOUT ROWID;
        INSERT INTO new_account SELECT id, e164, created_at, created_at, created_by,
            CAST(strftime('%s', 'now') AS INTEGER) * 1000, '{}', NULL FROM account;
        DROP TABLE account;
        ALTER TABLE new_account RENAME TO account;
        CREATE INDEX account_due ON account (deletion_due_at, id) WHERE deletion_due_at IS NOT NULL;
        CREATE INDEX verification_consumed_by ON verification (consumed_by) WHERE consumed_by IS NOT NULL;

        CREATE TABLE session (
            id TEXT PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES account (id),
            user_agent TEXT,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            token_digest BLOB NOT NULL,
            previous_digest BLOB,
            refreshed_at INTEGER NOT NULL,
            idle_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_account ON session (account_id, created_at DESC, id);
        CREATE INDEX session_end ON session (min(expires_at, idle_until));

        CREATE TABLE number_change (
            id TEXT PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES account (id),
            session_id TEXT NOT NULL,
            verification_id TEXT NOT NULL,
            old_e164 TEXT,
            new_e164 TEXT NOT NULL,
            language TEXT NOT NULL,
            changed_at INTEGER NOT NULL,
            undoable_until INTEGER NOT NULL,
            undo_digest BLOB NOT NULL UNIQUE,
            closed_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX number_change_account ON number_change (account_id, changed_at, id);
        CREATE INDEX number_change_undoable_until ON number_change (undoable_until);
        CREATE INDEX number_change_old ON number_change (old_e164) WHERE old_e164 IS NOT NULL;
        CREATE INDEX number_change_new ON number_change (new_e164);

        ALTER TABLE signup ADD COLUMN decision TEXT;
        CREATE INDEX signup_verification ON signup (verification_id) WHERE verification_id IS NOT NULL;
        ALTER TABLE outbox_message ADD COLUMN number_change_id TEXT;
        CREATE INDEX outbox_message_number_change ON outbox_message (number_change_id) WHERE number_change_id IS NOT NULL;
        """

    /// Several for whom numbers are verified, each with rules and words of its own.
    ///
    /// - `tenant.limits` has a line for each limit and bucket: a few, always read and written as one.
    /// - `safe_number.key` is the account and the number.
    /// - `outbox_message.account` is there for tenants' messages only, and so is the index: others cost nothing. An account's
    ///   messages, newest first, are a few steps in it, however many others there are.
    private static let version10 = """
        CREATE TABLE tenant (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            name TEXT NOT NULL,
            code_length INTEGER NOT NULL,
            options INTEGER NOT NULL,
            default_template TEXT,
            limits TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tenant_account ON tenant (account, created_at, id);

        CREATE TABLE safe_number (
            key TEXT PRIMARY KEY,
            id TEXT NOT NULL,
            account TEXT NOT NULL,
            e164 TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- For whoever has a number erased.
        CREATE INDEX safe_number_e164 ON safe_number (e164);

        ALTER TABLE verification ADD COLUMN has_custom_code INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE outbox_message ADD COLUMN wording TEXT;
        ALTER TABLE outbox_message ADD COLUMN account TEXT;
        CREATE INDEX outbox_message_account ON outbox_message (account, created_at, id) WHERE account IS NOT NULL;
        ALTER TABLE api_key ADD COLUMN account TEXT;
        ALTER TABLE api_key ADD COLUMN tenant TEXT;
        """

    /// What lies anywhere is found by the day and then by itself; see ``DayIndex``. It takes a minute for each million
    /// verifications with what hangs on them, most of it to read what is dropped.
    private static let version11 = """
        ALTER TABLE verification ADD COLUMN expiry_day INTEGER GENERATED ALWAYS AS (expires_at / 86400000) VIRTUAL;
        DROP INDEX verification_live;
        CREATE INDEX verification_live ON verification (expiry_day, e164, owner, expires_at);

        ALTER TABLE outbox_message ADD COLUMN creation_day INTEGER GENERATED ALWAYS AS (created_at / 86400000) VIRTUAL;
        DROP INDEX outbox_message_receipt;
        CREATE INDEX outbox_message_receipt ON outbox_message (creation_day, gateway, gateway_message_id)
        WHERE gateway_message_id IS NOT NULL;

        ALTER TABLE audit_entry ADD COLUMN day INTEGER GENERATED ALWAYS AS (at / 86400000) VIRTUAL;
        DROP INDEX audit_entry_number;
        CREATE INDEX audit_entry_number ON audit_entry (day, number_digest, at);
        """
}
