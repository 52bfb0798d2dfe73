/// The tables, and how they came to be: a migration that has been released is never changed, a new one is added.
///
/// The columns mean what they mean in every store of the domain. What is particular here:
/// - Keys are random or spread by what they are of, so that no end of an index is where all is written; only
///   `audit_entry` is numbered, since its order is what it is for.
/// - No table has a UNIQUE but its key, and none refers to another: so each can be divided by its key, over partitions or
///   over machines. What refers to what is kept by the operations, which lock and delete in one order.
/// - No trigger, no extension, no type but text, bigint, boolean and bytea: PostgreSQL's relatives have those.
/// - Every number is a bigint, every moment milliseconds since 1970-01-01T00:00:00Z.
///
/// A service of before goes on while one of after is started beside it: a migration first only adds (expand), with a
/// default for every column, and a later release takes away what none uses any more (contract). Each says down to which
/// one the program may be.
enum Schema {
    /// A step from one version to the next.
    struct Migration {
        let version: Int64
        /// The last migration that a program must know to work with these tables.
        let oldestProgram: Int64
        let statements: [String]
    }

    static let migrations = [Migration(version: 1, oldestProgram: 1, statements: version1)]

    private static let version1 = [
        """
        CREATE TABLE account (
            id text PRIMARY KEY,
            e164 text NOT NULL,
            created_at bigint NOT NULL,
            created_by text NOT NULL
        )
        """,
        """
        CREATE TABLE account_number (
            e164 text PRIMARY KEY,
            account_id text NOT NULL
        )
        """,
        """
        CREATE TABLE verification (
            id text PRIMARY KEY,
            e164 text NOT NULL,
            owner text NOT NULL,
            channel text NOT NULL,
            language text NOT NULL,
            code_key_id text NOT NULL,
            code_mac bytea NOT NULL,
            code_ciphertext bytea NOT NULL,
            created_at bigint NOT NULL,
            code_ttl bigint NOT NULL,
            is_test boolean NOT NULL,
            expires_at bigint NOT NULL,
            sent_at bigint NOT NULL,
            accepted_at bigint,
            next_send_at bigint NOT NULL,
            sends_left bigint NOT NULL CHECK (sends_left >= 0),
            checks_left bigint NOT NULL CHECK (checks_left >= 0),
            status text NOT NULL,
            updated_at bigint NOT NULL,
            consumed_by text,
            repeatable_by text
        )
        """,
        "CREATE INDEX verification_live ON verification (e164, expires_at)",
        "CREATE INDEX verification_end ON verification (greatest(expires_at, updated_at))",
        "CREATE INDEX verification_pending ON verification (expires_at) WHERE status = 'pending'",
        """
        CREATE TABLE number_activity (
            e164 text PRIMARY KEY,
            recent_sends text NOT NULL,
            recent_send_count bigint NOT NULL,
            sends_in_run bigint NOT NULL,
            consecutive_failures bigint NOT NULL,
            last_failure_at bigint,
            silent_since bigint NOT NULL
        )
        """,
        "CREATE INDEX number_activity_silent_since ON number_activity (silent_since)",
        """
        CREATE TABLE outbox_message (
            id text PRIMARY KEY,
            verification_id text NOT NULL,
            created_at bigint NOT NULL,
            status text NOT NULL,
            attempts bigint NOT NULL,
            next_attempt_at bigint NOT NULL,
            gateway text,
            gateway_message_id text,
            forgiven_attempts bigint NOT NULL,
            failure text,
            is_withheld boolean NOT NULL
        )
        """,
        "CREATE INDEX outbox_message_verification ON outbox_message (verification_id)",
        // Only what is still owed: the index stays small however many messages were sent.
        """
        CREATE INDEX outbox_message_due ON outbox_message (next_attempt_at, created_at, id) WHERE status = 'queued'
        """,
        "CREATE INDEX outbox_message_status ON outbox_message (status, created_at, id)",
        // Not unique: a gateway that repeats itself must not stop the outbox.
        """
        CREATE INDEX outbox_message_receipt ON outbox_message (gateway, gateway_message_id)
        WHERE gateway_message_id IS NOT NULL
        """,
        """
        CREATE TABLE signup (
            id text PRIMARY KEY,
            token_digest bytea NOT NULL,
            region text NOT NULL,
            language text NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            phone_text text NOT NULL,
            code_text text NOT NULL,
            verification_id text,
            is_complete boolean NOT NULL
        )
        """,
        "CREATE INDEX signup_expires_at ON signup (expires_at)",
        "CREATE TABLE rate_meter (key text PRIMARY KEY, full_at bigint NOT NULL)",
        "CREATE INDEX rate_meter_full_at ON rate_meter (full_at)",
        """
        CREATE TABLE traffic (
            key text PRIMARY KEY,
            hours text NOT NULL,
            blocked_until bigint,
            refused_in_block bigint NOT NULL,
            silent_since bigint NOT NULL
        )
        """,
        "CREATE INDEX traffic_silent_since ON traffic (silent_since)",
        """
        CREATE TABLE guard_rule (
            prefix text PRIMARY KEY,
            action text NOT NULL,
            until bigint,
            created_at bigint NOT NULL
        )
        """,
        "CREATE INDEX guard_rule_until ON guard_rule (until) WHERE until IS NOT NULL",
        """
        CREATE TABLE audit_entry (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            at bigint NOT NULL,
            action text NOT NULL,
            owner text,
            address text,
            verification_id text,
            masked_number text,
            number_digest text,
            prefix_digest text,
            region text,
            verdict text,
            reasons text NOT NULL
        )
        """,
        "CREATE INDEX audit_entry_at ON audit_entry (at, id)",
        "CREATE INDEX audit_entry_verification ON audit_entry (verification_id, at)",
        "CREATE INDEX audit_entry_number ON audit_entry (number_digest, at)",
        "CREATE INDEX audit_entry_owner ON audit_entry (owner, at)",
        "CREATE INDEX audit_entry_action ON audit_entry (action, at)",
        "CREATE INDEX audit_entry_prefix_digest ON audit_entry (prefix_digest, id) WHERE verdict IS NOT NULL",
    ]
}
