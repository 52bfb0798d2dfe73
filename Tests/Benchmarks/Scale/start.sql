-- The statements of a start, for :batch starts at once, as PhoneProof does them in PostgreSQL. Run by pgbench.
-- Names are in order of time, that of the transaction. What looks like :name is a variable of pgbench, in quotes as well.
\set first random(1, 1000000000000)
BEGIN ISOLATION LEVEL READ COMMITTED;
SELECT * FROM number_activity WHERE e164 = ANY(
    SELECT '+8210' || 20000000 + (:first::bigint + i) * 7919 % 80000000 FROM generate_series(1, :batch) i
) ORDER BY e164 FOR UPDATE;
SELECT * FROM verification WHERE id = ANY(ARRAY(
    SELECT id FROM verification WHERE created_at > 1795320392562 AND e164 = ANY(ARRAY(
        SELECT '+8210' || 20000000 + (:first::bigint + i) * 7919 % 80000000 FROM generate_series(1, :batch) i
    ))
)) ORDER BY id FOR UPDATE;
SELECT * FROM traffic WHERE key = ANY(ARRAY(
    SELECT '+8210' || 2000 + (:first::bigint + i) * 7919 % 80000000 / 10000 FROM generate_series(1, :batch) i
    UNION SELECT unnest(ARRAY['KR', 'service'])
)) ORDER BY key FOR UPDATE;
SELECT * FROM guard_rule WHERE prefix = ANY(ARRAY(
    SELECT DISTINCT left('+8210' || 20000000 + (:first::bigint + i) * 7919 % 80000000, length)
    FROM generate_series(1, :batch) i, generate_series(2, 13) length
));
INSERT INTO number_activity (
    e164, recent_sends, recent_send_count, senders, sends_in_run, consecutive_failures, last_failure_at, silent_since
)
SELECT '+8210' || 20000000 + (:first::bigint + i) * 7919 % 80000000, '1795320992562', 1, '', 1, 0, NULL, 1795320992562
FROM generate_series(1, :batch) i
ORDER BY 1
ON CONFLICT (e164) DO UPDATE SET silent_since = excluded.silent_since;
INSERT INTO verification (
    id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, code_ttl, is_test, has_custom_code,
    expires_at, sent_at, accepted_at, next_send_at, sends_left, checks_left, status, updated_at
)
SELECT
    decode(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || left(md5((:first::bigint + i)::text), 20), 'hex'),
    '+8210' || 20000000 + (:first::bigint + i) * 7919 % 80000000, 'caller', 'sms', 'en',
    '7741ea2d', decode(repeat('ab', 32), 'hex'), decode(repeat('ab', 38), 'hex'), 1795320992562, 600000, false, false,
    1795321592562, 1795320992562, NULL, 1795321022562, 4, 5, 'pending', 1795320992562
FROM generate_series(1, :batch) i
ON CONFLICT DO NOTHING;
INSERT INTO outbox_message (
    id, verification_id, created_at, status, attempts, next_attempt_at, forgiven_attempts, is_withheld
)
SELECT
    decode(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || left(md5((:first::bigint + i)::text), 20), 'hex'),
    decode(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || left(md5((:first::bigint + i)::text), 20), 'hex'),
    1795320992562, 'queued', 0, 1795320992562, 0, false
FROM generate_series(1, :batch) i
ON CONFLICT DO NOTHING;
INSERT INTO traffic (key, hours, blocked_until, refused_in_block, requested, approved, silent_since)
SELECT key, '498700 1 0 0', NULL, 0, 1, 0, 1795323600000 FROM (
    SELECT '+8210' || 2000 + (:first::bigint + i) * 7919 % 80000000 / 10000 AS key FROM generate_series(1, :batch) i
    UNION SELECT unnest(ARRAY['KR', 'service'])
) keys
ORDER BY key
ON CONFLICT (key) DO UPDATE SET hours = excluded.hours, silent_since = excluded.silent_since;
INSERT INTO audit_entry (
    id, at, action, owner, address, verification_id, masked_number, number_digest, prefix_digest, region, verdict, reasons
)
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint * 1048576 + (random() * 1000000)::bigint + i, 1795320992562, 'begin', 'caller', NULL,
    decode(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || left(md5((:first::bigint + i)::text), 20), 'hex'),
    '+82 10-****-5678',
    '7741ea2d:' || md5((:first::bigint + i)::text), '7741ea2d:' || md5((:first::bigint + i)::text), 'KR', 'allow', 'guard_off'
FROM generate_series(1, :batch) i;
COMMIT;
