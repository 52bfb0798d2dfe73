/// The tables, and how they came to be: a migration that has been released is never changed, a new one is added.
///
/// The columns mean what they mean in every store of the domain. What is particular here:
/// - Keys are random or spread by what they are of, so that no end of an index is where all is written; only
///   `audit_entry` is numbered, since its order is what it is for.
/// - No table has a UNIQUE but its key, and none refers to another: so each can be divided by its key, over partitions or
///   over machines. What refers to what is kept by the operations, which lock and delete in one order.
/// - Texts are ordered by their bytes, whatever the order of texts of the database: so keys are read in the same order from
///   every store, and an index stays right when the system's rules change with an upgrade
///   (https://www.postgresql.org/docs/current/collation.html). All of them: what is compared by two orders uses no index.
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

    static let migrations = [
        Migration(version: 1, oldestProgram: 1, statements: version1),
        Migration(version: 2, oldestProgram: 1, statements: version2),
        Migration(version: 3, oldestProgram: 1, statements: version3),
        // What asked for a message, so that sending it belongs to the same trace.
        Migration(
            version: 4,
            oldestProgram: 1,
            statements: [#"ALTER TABLE outbox_message ADD COLUMN trace_parent text COLLATE "C""#]
        ),
        Migration(version: 5, oldestProgram: 1, statements: version5),
        Migration(version: 6, oldestProgram: 1, statements: version6),
        Migration(version: 7, oldestProgram: 1, statements: version7),
    ]

    private static let version1 = [
        """
        CREATE TABLE account (
            id text COLLATE "C" PRIMARY KEY,
            e164 text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            created_by text COLLATE "C" NOT NULL
        )
        """,
        """
        CREATE TABLE account_number (
            e164 text COLLATE "C" PRIMARY KEY,
            account_id text COLLATE "C" NOT NULL
        )
        """,
        """
        CREATE TABLE verification (
            id text COLLATE "C" PRIMARY KEY,
            e164 text COLLATE "C" NOT NULL,
            owner text COLLATE "C" NOT NULL,
            channel text COLLATE "C" NOT NULL,
            language text COLLATE "C" NOT NULL,
            code_key_id text COLLATE "C" NOT NULL,
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
            status text COLLATE "C" NOT NULL,
            updated_at bigint NOT NULL,
            consumed_by text COLLATE "C",
            repeatable_by text COLLATE "C"
        )
        """,
        "CREATE INDEX verification_live ON verification (e164, expires_at)",
        "CREATE INDEX verification_end ON verification (greatest(expires_at, updated_at))",
        "CREATE INDEX verification_pending ON verification (expires_at) WHERE status = 'pending'",
        """
        CREATE TABLE number_activity (
            e164 text COLLATE "C" PRIMARY KEY,
            recent_sends text COLLATE "C" NOT NULL,
            recent_send_count bigint NOT NULL,
            senders text COLLATE "C" NOT NULL DEFAULT '',
            sends_in_run bigint NOT NULL,
            consecutive_failures bigint NOT NULL,
            last_failure_at bigint,
            silent_since bigint NOT NULL
        )
        """,
        "CREATE INDEX number_activity_silent_since ON number_activity (silent_since)",
        """
        CREATE TABLE outbox_message (
            id text COLLATE "C" PRIMARY KEY,
            verification_id text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            status text COLLATE "C" NOT NULL,
            attempts bigint NOT NULL,
            next_attempt_at bigint NOT NULL,
            gateway text COLLATE "C",
            gateway_message_id text COLLATE "C",
            forgiven_attempts bigint NOT NULL,
            failure text COLLATE "C",
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
            id text COLLATE "C" PRIMARY KEY,
            token_digest bytea NOT NULL,
            region text COLLATE "C" NOT NULL,
            language text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            phone_text text COLLATE "C" NOT NULL,
            code_text text COLLATE "C" NOT NULL,
            verification_id text COLLATE "C",
            is_complete boolean NOT NULL
        )
        """,
        "CREATE INDEX signup_expires_at ON signup (expires_at)",
        #"CREATE TABLE rate_meter (key text COLLATE "C" PRIMARY KEY, full_at bigint NOT NULL)"#,
        "CREATE INDEX rate_meter_full_at ON rate_meter (full_at)",
        """
        CREATE TABLE traffic (
            key text COLLATE "C" PRIMARY KEY,
            hours text COLLATE "C" NOT NULL,
            blocked_until bigint,
            refused_in_block bigint NOT NULL,
            silent_since bigint NOT NULL
        )
        """,
        "CREATE INDEX traffic_silent_since ON traffic (silent_since)",
        """
        CREATE TABLE guard_rule (
            prefix text COLLATE "C" PRIMARY KEY,
            action text COLLATE "C" NOT NULL,
            until bigint,
            created_at bigint NOT NULL
        )
        """,
        "CREATE INDEX guard_rule_until ON guard_rule (until) WHERE until IS NOT NULL",
        """
        CREATE TABLE audit_entry (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            at bigint NOT NULL,
            action text COLLATE "C" NOT NULL,
            owner text COLLATE "C",
            address text COLLATE "C",
            verification_id text COLLATE "C",
            masked_number text COLLATE "C",
            number_digest text COLLATE "C",
            prefix_digest text COLLATE "C",
            region text COLLATE "C",
            verdict text COLLATE "C",
            reasons text COLLATE "C" NOT NULL
        )
        """,
        "CREATE INDEX audit_entry_at ON audit_entry (at, id)",
        "CREATE INDEX audit_entry_verification ON audit_entry (verification_id, at)",
        "CREATE INDEX audit_entry_number ON audit_entry (number_digest, at)",
        "CREATE INDEX audit_entry_owner ON audit_entry (owner, at)",
        "CREATE INDEX audit_entry_action ON audit_entry (action, at)",
        "CREATE INDEX audit_entry_prefix_digest ON audit_entry (prefix_digest, id) WHERE verdict IS NOT NULL",
    ]

    /// Programs that call are known by keys, and a request that comes again is answered as before.
    private static let version2 = [
        """
        CREATE TABLE api_key (
            id text COLLATE "C" PRIMARY KEY,
            name text COLLATE "C" NOT NULL,
            digest bytea NOT NULL,
            scopes text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            last_used_at bigint,
            revoked_at bigint
        )
        """,
        """
        CREATE TABLE idempotent_request (
            name text COLLATE "C" PRIMARY KEY,
            fingerprint text COLLATE "C" NOT NULL,
            attempt bigint NOT NULL,
            lease_ends_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            status bigint,
            content_type text COLLATE "C" NOT NULL,
            location text COLLATE "C",
            body text COLLATE "C" NOT NULL,
            verification_id text COLLATE "C"
        )
        """,
        "CREATE INDEX idempotent_request_expires_at ON idempotent_request (expires_at)",
        """
        CREATE INDEX idempotent_request_verification ON idempotent_request (verification_id)
        WHERE verification_id IS NOT NULL
        """,
    ]

    /// What is to be told to the operator's programs.
    private static let version3 = [
        """
        CREATE TABLE event (
            id text COLLATE "C" PRIMARY KEY,
            kind text COLLATE "C" NOT NULL,
            subject text COLLATE "C" NOT NULL,
            occurred_at bigint NOT NULL,
            status text COLLATE "C" NOT NULL,
            attempts bigint NOT NULL,
            forgiven_attempts bigint NOT NULL,
            next_attempt_at bigint NOT NULL,
            failure text COLLATE "C",
            trace_parent text COLLATE "C"
        )
        """,
        // Only what is still to be told.
        "CREATE INDEX event_due ON event (next_attempt_at, occurred_at, id) WHERE status = 'queued'",
        "CREATE INDEX event_status ON event (status, occurred_at, id)",
        "CREATE INDEX event_subject ON event (subject)",
    ]

    /// What access tokens are signed with. Never more than a few rows.
    private static let version5 = [
        """
        CREATE TABLE signing_key (
            id text COLLATE "C" PRIMARY KEY,
            public_key bytea NOT NULL,
            sealing_key_id text COLLATE "C" NOT NULL,
            private_key_ciphertext bytea NOT NULL,
            created_at bigint NOT NULL,
            active_at bigint NOT NULL,
            gone_at bigint
        )
        """
    ]

    /// Accounts live on after the signup: they have sessions, change their numbers, lose them, and are deleted.
    ///
    /// An older program reads and writes what it knows of. What it does not know of stays undone: it opens no session and
    /// takes no deletion back, drops the notice of a change, erases neither sessions nor changes, and cannot read an
    /// account that has no number.
    private static let version6 = [
        // Nil for one of before: since it was made.
        "ALTER TABLE account ADD COLUMN phone_number_since bigint",
        // Nobody knows when the holders of those that there are were last heard of: it counts from now, so that none is taken
        // for dormant on the day of the upgrade. The same for those that an older program makes meanwhile.
        """
        ALTER TABLE account ADD COLUMN last_active_at bigint NOT NULL
        DEFAULT (extract(epoch FROM now()) * 1000)::bigint
        """,
        #"ALTER TABLE account ADD COLUMN metadata text COLLATE "C" NOT NULL DEFAULT '{}'"#,
        "ALTER TABLE account ADD COLUMN deletion_due_at bigint",
        "ALTER TABLE account ALTER COLUMN e164 DROP NOT NULL",
        "CREATE INDEX account_deletion_due_at ON account (deletion_due_at, id) WHERE deletion_due_at IS NOT NULL",
        """
        CREATE TABLE session (
            id text COLLATE "C" PRIMARY KEY,
            account_id text COLLATE "C" NOT NULL,
            user_agent text COLLATE "C",
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            token_digest bytea NOT NULL,
            previous_digest bytea,
            refreshed_at bigint NOT NULL,
            idle_until bigint NOT NULL
        )
        """,
        "CREATE INDEX session_account ON session (account_id, created_at DESC, id)",
        "CREATE INDEX session_end ON session (least(expires_at, idle_until), id)",
        """
        CREATE TABLE number_change (
            id text COLLATE "C" PRIMARY KEY,
            account_id text COLLATE "C" NOT NULL,
            session_id text COLLATE "C" NOT NULL,
            verification_id text COLLATE "C" NOT NULL,
            old_e164 text COLLATE "C",
            new_e164 text COLLATE "C" NOT NULL,
            language text COLLATE "C" NOT NULL,
            changed_at bigint NOT NULL,
            undoable_until bigint NOT NULL,
            undo_digest bytea NOT NULL,
            closed_at bigint
        )
        """,
        "CREATE INDEX number_change_account ON number_change (account_id)",
        "CREATE INDEX number_change_undo_digest ON number_change (undo_digest)",
        "CREATE INDEX number_change_undoable_until ON number_change (undoable_until, id)",
        // For whoever has a number erased.
        "CREATE INDEX number_change_old_e164 ON number_change (old_e164) WHERE old_e164 IS NOT NULL",
        "CREATE INDEX number_change_new_e164 ON number_change (new_e164)",
        #"ALTER TABLE outbox_message ADD COLUMN number_change_id text COLLATE "C""#,
        """
        CREATE INDEX outbox_message_number_change ON outbox_message (number_change_id)
        WHERE number_change_id IS NOT NULL
        """,
        #"ALTER TABLE signup ADD COLUMN decision text COLLATE "C""#,
        "CREATE INDEX signup_verification ON signup (verification_id) WHERE verification_id IS NOT NULL",
        "CREATE INDEX verification_consumed_by ON verification (consumed_by) WHERE consumed_by IS NOT NULL",
    ]

    /// Several for whom numbers are verified, each with rules and words of its own.
    ///
    /// An older program knows no tenant, and is asked nothing in the name of one. It sends a tenant's message in the words of
    /// the service, lists a key of tenants as one of the service's own interface, where no secret fits it, and erases
    /// no safe number.
    private static let version7 = [
        """
        CREATE TABLE tenant (
            id text COLLATE "C" PRIMARY KEY,
            account text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            code_length bigint NOT NULL,
            options bigint NOT NULL,
            default_template text COLLATE "C",
            limits text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            updated_at bigint NOT NULL
        )
        """,
        "CREATE INDEX tenant_account ON tenant (account, created_at, id)",
        """
        CREATE TABLE safe_number (
            key text COLLATE "C" PRIMARY KEY,
            id text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            e164 text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL
        )
        """,
        // For whoever has a number erased.
        "CREATE INDEX safe_number_e164 ON safe_number (e164)",
        "ALTER TABLE verification ADD COLUMN has_custom_code boolean NOT NULL DEFAULT false",
        #"ALTER TABLE outbox_message ADD COLUMN wording text COLLATE "C""#,
        #"ALTER TABLE outbox_message ADD COLUMN account text COLLATE "C""#,
        // Only tenants' messages: others cost nothing.
        """
        CREATE INDEX outbox_message_account ON outbox_message (account, created_at, id)
        WHERE account IS NOT NULL
        """,
        #"ALTER TABLE api_key ADD COLUMN account text COLLATE "C""#,
        #"ALTER TABLE api_key ADD COLUMN tenant text COLLATE "C""#,
    ]
}
