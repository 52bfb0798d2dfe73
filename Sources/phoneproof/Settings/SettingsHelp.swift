/// What each setting and each section of the file is for.
enum SettingsHelp {
    static let byKey = Dictionary(
        uniqueKeysWithValues: text.replacing("\n  ", with: " ").split(separator: "\n").compactMap { entry in
            entry.firstRange(of: ": ").map { (String(entry[..<$0.lowerBound]), String(entry[$0.upperBound...])) }
        }
    )
}

/// An entry is a key, a colon and its text; further lines of it are indented.
private let text = """
    profile: With production, `serve` rejects development-only settings: the SMS stub, test numbers, calls without an
      API key and plain http webhooks. In development, as long as no message leaves this machine and neither another
      machine nor a proxy reaches the service, every region can get codes and pages of http://localhost can call.
    server.host: The address to listen on. Unless it is a loopback address, the SMS stub must be allowed by
      sms.stub.allow_remote.
    server.port: The port to listen on. 0 picks a free port, which the ready line shows.
    server.insecure_no_keys: Whether programs on this machine may call without an API key, to try things out. Refused
      in production, and when other machines can reach the service.
    server.trusted_proxies: The proxies in front of this service. A limit identifies a client by the address of the
      connection, or the one that a trusted proxy reports (see limits). Behind a proxy that is not listed, all clients
      share one address. A Unix domain socket (systemd's) counts as 127.0.0.1.
    server.forwarded_header: The header in which trusted proxies report the client's address. The other header is
      ignored, because proxies pass it on from clients.
    server.first_byte_timeout_seconds: Timeout from the connection to the first byte of a request, TLS handshake
      included.
    server.header_timeout_seconds: Timeout from the first byte of a request to the end of its headers.
    server.body_timeout_seconds: Timeout from the end of the headers to the end of the body.
    server.write_timeout_seconds: Timeout for a client to read a response.
    server.idle_timeout_seconds: How long an idle connection stays open. A proxy in front must close its idle
      connections earlier.
    server.max_header_bytes: Maximum size of the request line and headers, in bytes. Larger requests get 431.
    server.max_body_bytes: Maximum size of a request body, in bytes. Larger requests get 413.
    server.max_pipelined_requests: Maximum number of requests that wait for a response on one HTTP/1.1 connection.
      Further requests are read later.
    server.max_connections: Maximum number of open connections. Further ones wait to be accepted. The limit of open
      files is raised as far as the system allows (`ulimit -Hn`); if that is too low, fewer connections are accepted.
    server.max_connections_per_address: Maximum number of connections from one client address (see limits). Further
      ones are closed. Trusted proxies are exempt.
    server.http2: HTTP/2 needs TLS.
    server.http2.max_streams: Maximum number of concurrent requests on one connection. A client that exceeds it is
      disconnected.
    server.http2.max_open_streams: Maximum number of concurrent requests on all HTTP/2 connections together. Above it
      each connection may have one, and further requests are refused (REFUSED_STREAM). A request takes 10 to 50 KB of
      memory besides its body.
    server.http2.max_stream_resets: Maximum number of requests that a client may cancel within 30 seconds. A client
      that exceeds it is disconnected.
    server.tls: With a certificate and a key the server accepts only TLS 1.2 and 1.3.
    server.tls.certificate_file: The certificate, followed by its chain, in PEM.
    server.tls.key_file: The private key of the certificate, in PEM and not encrypted. Only its owner may read it (mode
      0600).
    server.tls.reload_seconds: How often the certificate and key files are checked for changes. SIGHUP reloads them
      immediately.
    server.tls.hsts_seconds: max-age of the Strict-Transport-Security header: how long browsers use only TLS. 0 sends
      no such header.
    server.cors.origins: Origins of your own sites, whose pages may call /v1/signups, /v1/tokens, /v1/sessions,
      /v1/accounts, /v1/number-changes, /oauth2/token, /oauth2/userinfo and /oauth2/revoke from a browser.
    database.url: sqlite:PATH for one instance; postgresql://USER@HOST:PORT/NAME?sslmode=verify-full&sslrootcert=FILE
      (any libpq URL, with several hosts too) for several instances; sqlite::memory: for tests. Put a password into
      PHONEPROOF_DATABASE_URL or the file that PGPASSFILE names. If it is here, only the owner may read this file.
    database.synchronous: full: acknowledged requests survive a power failure. normal: they survive a crash of the
      service, but a power failure (or a crash of the PostgreSQL server) can lose the last moments.
    database.busy_timeout_seconds: How long a request waits for the database before it gets 503.
    database.migrate: Whether `serve` and `signup` migrate the database. Otherwise run `phoneproof migrate`.
    keys.file: The file with the keys that encrypt codes (mode 0600). By default it is next to the SQLite database and
      created on the first start. With PostgreSQL it must be set, and be the same for every instance (`phoneproof keys
      make`).
    locale.region: The region whose numbering plan is used for numbers without +, if the request has no region. If it
      is not set, `phoneproof signup` uses that of the terminal in local development (see profile).
    locale.language: The language of messages, if the request has none.
    verification.code_length: Number of digits in a code. NIST SP 800-63B requires at least 6.
    verification.code_ttl_seconds: How long a code is valid. Until then a resend sends the same code.
    verification.approval_ttl_seconds: How long after the right code the person can sign up with it.
    verification.max_checks: Maximum number of codes that can be tried in a verification. A resend does not add any.
    verification.max_sends: Maximum number of messages in a verification, the first one included.
    verification.resend_cooldowns_seconds: Cooldowns after the first, second, … message to a number, in seconds. The
      last one applies to all that follow.
    verification.max_sends_per_number_per_day: Maximum number of messages to a number in any 24 hours. Without an API
      key, one IPv4 address or /48 of IPv6 gets half of them, rounded up, until it has proven the number.
    verification.max_consecutive_failures: Number of wrong codes in a row after which a number is locked.
    verification.failure_lockout_seconds: How long a number is locked after that many wrong codes.
    verification.allowed_regions: The regions whose numbers can get a code. If it is not set, all of them in local
      development (see profile).
    verification.accepted_kinds: The kinds of number that can get a code. fixed_line_or_mobile is for plans that do not
      tell them apart, as in North America. The other kinds cannot receive SMS or prove nothing.
    limits: A limit is a quota per period: 30/1h; several of them: [10/1m, 100/1d]; or off. The whole quota may be used
      at once, and refills evenly over the period (s, m, h or d; 1 second to 31 days). Limits survive restarts and are
      shared by all instances. A client address is an IPv4 address, or the /64 of an IPv6 address, and many people may
      share one. One client can have many of /64; so the /56 has twice the quota of one, and the /48 four times.
    limits.enabled: Whether the limits in this section and the guard are on. Turn them off only for load tests.
    limits.address_sends: Messages per client address.
    limits.address_checks: Codes checked per client address.
    limits.address_signups: Guided signups begun per client address.
    limits.session_changes: Whatever else is stored for one session or guided signup: sign-ins for clients, refreshes,
      edits of an account or of a signup, changes of number. A program that stores each keystroke needs many.
    limits.address_changes: The same per client address, but for refreshes, which the server of a client makes for
      everybody from one address.
    limits.prefix_sends: Messages per block of ten thousand numbers, which differ only in their last four digits.
    limits.country_sends: Messages per country.
    limits.service_sends: Messages in total.
    limits.daily_budget: Maximum number of messages in any 24 hours, which limits what fraud can cost. 0 for no
      maximum.
    guard: Protects against toll fraud (SMS pumping): somebody who earns from messages to certain numbers requests
      thousands of codes for them and enters none. The guard compares the messages and the approvals of the last day,
      per prefix (all but the last four digits) and per country. `phoneproof guard` shows its decisions and overrides
      them.
    guard.mode: enforce stops messages. shadow sends them, and records what enforce would have stopped.
    guard.answer: How a stopped request is answered. refuse: with the error rate_limited and the policy guard-block.
      silent: like any other request, but no message is sent.
    guard.prefix_sample: Number of messages to a prefix before the guard judges it.
    guard.prefix_percent: Percentage of messages that must lead to an approval. Below it messages to the prefix are
      stopped, at first unless the caller vouches for the person (guard-challenge); once the codes have expired, for
      everybody (guard-block).
    guard.country_sample: Number of messages to a country before the guard judges it.
    guard.country_percent: Percentage of messages to a country that must lead to an approval. Below it those of its
      prefixes are stopped that have no better percentage of their own.
    guard.block_seconds: How long a block lasts. It is renewed while the attack continues.
    test_numbers: Numbers with a fixed code, for example for an app store's reviewers. They get no messages and count
      towards no limit. Somebody can guess such a code, so keep nothing of value in their accounts.
    test_numbers.allow_in_production: Whether `serve` allows test numbers with profile: production.
    test_numbers.numbers: The test numbers, each with its code: +821000000001=123456.
    test_numbers.until: When the test numbers expire, with all verifications begun for them. Required if there are any.
    signup.ttl_seconds: How long a guided signup over HTTP may take.
    accounts.recycling: What happens when somebody proves the number of a dormant account. sign_in: it counts as the
      same person. quarantine: it counts as somebody else, who gets a new account, and the old account loses the
      number. ask: the signup gets the error account_dormant; a program with an API key of the scope accounts decides
      within ten minutes at /v1/signups/{id}/dormant-account, where the person too can choose a new account. An
      existing account can change to such a number only with quarantine.
    accounts.dormant_days: Days without any use after which an account is dormant; 0 for never. In the United States a
      number can be reassigned after 45 days.
    accounts.hold_days: Days until an account without a number is deleted. Until then a device that is still signed in
      can give it another number; none is if tokens.idle_days is less than dormant_days.
    accounts.deletion_grace_days: Days between a deletion request and the deletion, which also waits for undo_hours.
      Signing in cancels the request.
    accounts.undo_hours: How many hours the holder of the old number has to undo a change of number.
    accounts.undo_url: The page to undo a change of number. The old number gets its URL by SMS with a secret at the
      end, so keep it short. By default it is the service's own page, /undo/ under tokens.issuer. A page of your own
      posts the secret to /v1/number-changes/undo, and must be in server.cors.origins.
    accounts.fresh_proof_minutes: How many minutes after signing in a number can be changed. 0 for the whole session.
    messages.directory: A folder with texts (plain UTF-8) that add to or replace the built-in ones:
      <locale>/verification.txt with {{code}}, {{service}} and {{minutes}}; <locale>/number-changed.txt with {{link}}
      and {{service}}; templates/<name>/<locale>/verification.txt for requests that name this template, with its own
      variables such as {{order}} (at most 20 characters, no links). A message must fit one SMS.
    messages.service_name: The name of your service in messages.
    messages.local_service_names: The name of your service in other languages: [ko=에이스, en=Ace]. Hangul does not fit an
      English message, nor an umlaut a Korean one.
    messages.web_host: The web site on which phones fill in the code automatically. Adds the line "@example.com
      #123456" to messages.
    messages.android_app_hash: The hash of your Android app, which then reads the code by itself (SMS Retriever API).
    messages.allow_long: Whether a message may take more than one SMS. The notice to an old number always may.
    sms.timeout_seconds: How long a gateway may take to respond.
    sms.concurrent_sends: Maximum number of messages that are being sent at the same time. 64 of them make 320 messages
      a second with a gateway that responds within 200 ms.
    sms.max_attempts: Maximum number of attempts to send a message, all of them before its code expires. Then it is
      failed, or unknown if a gateway that did not respond may have accepted it (`phoneproof outbox`).
    sms.gateway: The gateways that send messages, in this order. The next one is used if one is down, busy or out of
      credit, but never if that one may have accepted the message. stub: messages stay here and are shown at /inbox,
      for development. console: they are printed to standard error. http: any other vendor.
    sms.breaker.failures: Number of consecutive failures (unreachable or no response) after which messages skip a
      gateway.
    sms.breaker.open_seconds: How long a failing gateway is skipped before one message tries it again. Doubles up to
      two minutes while it keeps failing.
    sms.stub.allow_remote: Whether other machines can reach the stub, which shows every code. A proxy on this machine
      must not forward /stub, /inbox and /2010-04-01. Every instance has its own stub; to share one, run `phoneproof
      sms-stub` and set sms.twilio.base_url. If true, messages with a StatusCallback are refused.
    sms.stub.hosts: Host names by which programs on this machine call the stub, besides localhost and 127.0.0.1, for
      programs that know only api.twilio.com. They must resolve to this machine (/etc/hosts) and be in the certificate.
    sms.twilio.account_sid: The account SID: AC and 32 hexadecimal digits.
    sms.twilio.auth_token: The auth token of the account.
    sms.twilio.from: The sender. A short code is valid too.
    sms.twilio.base_url: The URL of the API. Use http://127.0.0.1:8081 for `phoneproof sms-stub`.
    sms.twilio.status_callback_url: The URL to which Twilio posts delivery reports, exactly as Twilio calls it, because
      it is signed. Without it the service does not know whether messages arrive.
    sms.sens: NAVER Cloud SENS.
    sms.sens.service_id: The service ID, as the console shows it.
    sms.sens.access_key: The ID of the access key.
    sms.sens.secret_key: The secret key.
    sms.sens.agency: Whether this is a government agency, which uses another API and may send from a number such as
      112.
    sms.sens.from: The sender. A text over 90 bytes (LMS) needs messages.allow_long.
    sms.sens.base_url: The URL of the API.
    sms.solapi.api_key: The API key.
    sms.solapi.api_secret: The secret of the API key.
    sms.solapi.from: The sender.
    sms.solapi.base_url: The URL of the API. For CoolSMS it is https://api.coolsms.co.kr.
    sms.solapi.alimtalk: With all three settings, codes for Korean numbers are sent by KakaoTalk, and by SMS to people
      who do not use it.
    sms.solapi.alimtalk.channel_id: The KakaoTalk channel (pfId).
    sms.solapi.alimtalk.template_id: The ID of the approved template.
    sms.solapi.alimtalk.variables: The values of the template's variables.
    sms.receipts: Polling of sens and solapi for delivery reports. The interval doubles each time.
    sms.receipts.first_seconds: The age of a message when it is first polled, in seconds.
    sms.receipts.hours: The age of a message when it is last polled, in hours. 0 turns polling off.
    sms.sns.region: The AWS region to send from. Not every region can send SMS.
    sms.sns.access_key_id: The access key ID of an IAM user that is allowed only sns:Publish. IAM roles are not
      supported.
    sms.sns.secret_access_key: The secret access key.
    sms.sns.session_token: The session token of temporary credentials, which expire and are not renewed.
    sms.sns.sender_id: The sender ID, for countries that allow one.
    sms.sns.origination_number: The number of your account to send from. By default Amazon chooses.
    sms.sns.base_url: The URL of the API, if it is not Amazon's in that region.
    sms.vonage.api_key: The API key: 8 letters and digits.
    sms.vonage.api_secret: The API secret.
    sms.vonage.from: The sender. Only some countries allow names.
    sms.vonage.base_url: The URL of the SMS API.
    sms.http: Any other vendor with an HTTP API. Headers and body contain variables: {{to}} (+821012345678),
      {{to_digits}} (821012345678), {{to_national}} (01012345678), {{body}} (the text), {{from}}, {{id}} (the message's
      ID, the same on every attempt), {{language}}, {{secret}}, and {{secret_base64}} (of user:password, for Basic
      authentication). An invalid body, or one without the number or the text, is an error at start.
    sms.http.url: The URL to send messages to. Redirects are not followed.
    sms.http.method: The HTTP method.
    sms.http.format: The format of the body, which decides how values are escaped: json (variables within quotes), form
      (name={{to}}&...), xml, or text (nothing is escaped).
    sms.http.body: The body of the request.
    sms.http.headers: Additional headers. Content-Type replaces the one of the format.
    sms.http.from: The value of {{from}}.
    sms.http.secret: The value of {{secret}}.
    sms.http.idempotent: Whether the vendor sends a message with the same {{id}} only once. If not, a message without a
      response becomes unknown and is not sent to this vendor again.
    sms.http.answer: What the vendor's response means. 2xx: accepted. 408, 425, 429 and 5xx: retry later. 3xx and other
      4xx: use the next gateway. The settings below refine this.
    sms.http.answer.success_pointer: JSON pointer (RFC 6901) to the value in a 2xx response that must be one of
      success_values. Without it every 2xx means success.
    sms.http.answer.success_values: The values that mean success.
    sms.http.answer.id_pointer: JSON pointer to the vendor's message ID.
    sms.http.answer.code_pointer: JSON pointer to the error code in a 2xx or 4xx response. By default success_pointer.
    sms.http.answer.retry_codes: Error codes that mean: retry later. All others mean: use the next gateway.
    sms.http.answer.refuse_codes: Error codes that mean: the number is bad, so the message fails.
    sms.http.answer.retry_statuses: HTTP statuses that mean: retry later.
    sms.http.answer.failover_statuses: HTTP statuses that mean: use the next gateway.
    sms.http.answer.refuse_statuses: HTTP statuses that mean: the number is bad, so the message fails.
    webhooks: Posts events to a program of yours, signed as Standard Webhooks (https://www.standardwebhooks.com)
      specifies. An event is delivered at least once, always with the same webhook-id, and in no particular order. It
      contains the number, but never a code. `phoneproof webhooks send-test` tries the receiver.
    webhooks.url: The URL of the receiver: https, or http on this machine. Redirects are not followed.
    webhooks.secrets: The signing secret, as `phoneproof webhooks secret` makes it; several, separated by white space
      or commas, while you replace it. Events are signed with each of them.
    webhooks.events: The events to send. verification.failed: too many wrong codes, no gateway accepted the message, or
      it expired. number.changed: an account has another number. guard.blocked: the guard blocked a prefix.
    webhooks.timeout_seconds: How long the receiver may take to respond with 2xx. With 410 the receiver refuses the
      event for good.
    webhooks.max_attempts: Maximum number of attempts to deliver an event. The delay between them doubles from 5
      seconds to 8 hours, so 20 attempts take two days. Then the event is failed, and kept for retention.days.
    tokens.issuer: The issuer of access tokens (iss): the public URL of this service, which verifiers compare exactly. By
      default it is the address that the service listens on.
    tokens.audience: The audience of access tokens (aud): who accepts them. By default the issuer.
    tokens.access_ttl_seconds: How long an access token is valid. Other services verify it without asking this one, so
      after a sign-out they accept it until then.
    tokens.refresh_grace_seconds: How long a used refresh token stays valid, for a client that lost the response or has
      several tabs; for that time the next one is not replaced. Later its use ends the session, because somebody has a
      copy.
    tokens.session_days: Maximum length of a session, in days.
    tokens.idle_days: Days without use after which a session ends.
    tokens.browser_hours: For how many hours a browser stays signed in for clients of OpenID Connect.
    tokens.signing_key_ahead_seconds: How long a new signing key is published before it signs. Clients are asked to
      cache the keys for 600 seconds; some cache them longer.
    retention.days: Days until ended verifications, their messages and events, and unused numbers are deleted. Must be
      longer than verification.failure_lockout_seconds. Accounts are kept.
    retention.audit_days: Days until entries of the audit log are deleted.
    log.level: The lowest level that is logged. No level logs a code or a full number.
    log.format: text for people, or json with one object per line.
    metrics: Metrics for Prometheus. None contains a number, a code or a key.
    metrics.enabled: Whether metrics are collected: requests, verifications, messages, limits, the guard, the store,
      the process.
    metrics.port: A separate port for metrics, without an API key. By default they are at /metrics of the service, for
      programs on this machine and for API keys of the scope admin.
    metrics.host: The address of the separate metrics port.
    tracing.sample_ratio: The share of traces that are recorded, of those that begin here.
    tracing.otlp_endpoint: The URL of an OpenTelemetry collector that accepts OTLP/HTTP as JSON, without /v1/traces. By
      default the OTEL_EXPORTER_OTLP_… variables apply. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES always apply.
    tracing.headers: HTTP headers for the collector: name=value pairs, separated by commas or line breaks, with
      percent-encoded values: authorization=Bearer%20token.
    """
