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
    profile: In production test numbers must be allowed by name, and messages must leave the service.
    server.host: The address to listen on. If other machines can reach it, the SMS stub must be allowed by
      sms.stub.allow_remote.
    server.port: The port to listen on; 0 takes any free one, which the ready line names.
    server.insecure_no_keys: Whether programs on this machine need no API key, to try out. Refused in production, and
      where other machines can reach the service.
    server.trusted_proxies: The proxies before this service. A limit knows a client by its IPv4 address or the /64 of
      its IPv6 address: that of the connection, unless a proxy named here reports another. Behind a proxy that is not
      named all clients are one.
    server.forwarded_header: The header that they write. The other one is ignored, since a proxy passes on what a client
      puts there.
    server.first_byte_timeout_seconds: The time from connecting to the first byte of a request, with the TLS handshake.
    server.header_timeout_seconds: The time from there to the end of the headers.
    server.body_timeout_seconds: The time from there to the end of the body.
    server.write_timeout_seconds: The time that a client may take to read a response.
    server.idle_timeout_seconds: The time between requests. A proxy in front must close its connections earlier.
    server.max_header_bytes: The most bytes in a request's line and headers; more get 431.
    server.max_body_bytes: The most bytes in a request's body; more get 413.
    server.max_pipelined_requests: The most requests of one HTTP/1.1 connection that wait for a response; further ones
      are read later.
    server.max_connections: The most connections at a time; further ones wait. The limit of open files is raised as far
      as the system allows (`ulimit -Hn`), and leaves room for fewer where it is lower.
    server.max_connections_per_address: The most of them from one IPv4 address or one /64 of IPv6; further ones are
      closed. Trusted proxies are exempt.
    server.http2: HTTP/2 needs TLS.
    server.http2.max_streams: The most requests of one connection at a time; beyond, it is closed.
    server.http2.max_open_streams: The most of all connections together; beyond, a connection may have one, and further
      ones are refused (REFUSED_STREAM). Each takes 10 to 50 KB besides its body.
    server.http2.max_stream_resets: The most requests that a client may cancel within 30 seconds; beyond, its connection
      is closed.
    server.tls: With both files the server speaks TLS 1.2 and 1.3 only.
    server.tls.certificate_file: The certificate, and behind it its chain, in PEM.
    server.tls.key_file: Its private key, in PEM, not encrypted, readable by the owner only (mode 0600).
    server.tls.reload_seconds: How often the files are read again; SIGHUP does so at once.
    server.tls.hsts_seconds: Strict-Transport-Security: how long browsers use TLS only; 0 for none.
    server.cors.origins: The sites whose pages may sign people up from a browser. They can use /v1/signups, /v1/tokens,
      /v1/sessions, /v1/accounts, /v1/number-changes and /oauth2/revoke.
    database.url: sqlite:PATH for one instance, sqlite::memory: for tests, or for several instances
      postgresql://USER@HOST:PORT/NAME?sslmode=verify-full&sslrootcert=FILE, a URL as libpq takes it, of several hosts
      too. A password belongs in PHONEPROOF_DATABASE_URL or the file that PGPASSFILE names; if it stands here, this file
      must be readable by its owner only.
    database.synchronous: full: what was acknowledged survives a power cut. normal: it survives a crash of the service,
      and a power cut (or a crash of the PostgreSQL server) may lose the last moments.
    database.busy_timeout_seconds: How long a request waits for the database until it gets 503.
    database.migrate: Whether `serve` and `signup` migrate the database; else `phoneproof migrate`.
    keys.file: The key file, under which codes are sealed (mode 0600). By default it is beside the database and made on
      the first start. With PostgreSQL it must be set, and be the same for every instance (`phoneproof keys make`).
    locale.region: The numbering plan of numbers without +, where the request names no region.
    locale.language: The language of messages, where the request names none.
    verification.code_length: Digits in a code. NIST SP 800-63B asks for 6 or more.
    verification.code_ttl_seconds: How long a code is valid; a resend sends the same code until then.
    verification.approval_ttl_seconds: How long after the right code a person may be signed up.
    verification.max_checks: The most codes that may be tried; a resend does not add any.
    verification.max_sends: How often a code may be sent, the first time included.
    verification.resend_cooldowns_seconds: The wait after the first, second, … message to a number. The last one counts
      for all that follow.
    verification.max_sends_per_number_per_day: The most messages to a number in any 24 hours. Without an API key an
      address gets half of them, rounded up, until it has proven the number.
    verification.max_consecutive_failures: So many wrong codes in a row close a number.
    verification.failure_lockout_seconds: How long it is closed then.
    verification.allowed_regions: The regions whose numbers may have a code.
    verification.accepted_kinds: The kinds of number that may have a code. fixed_line_or_mobile is where the plan cannot
      tell, as in North America; the other kinds cannot receive SMS or prove nothing.
    limits: A limit is a quota and a time: 30/1h, several of them, [10/1m, 100/1d], or off. The quota may be used at
      once and comes back evenly over the time (s, m, h, d; 1 second to 31 days). Limits hold over restarts and
      instances.
    limits.enabled: Whether these limits and the guard are on; off for load tests.
    limits.address_sends: Messages by client address: an IPv4 address, or the /64 of an IPv6 address. Many people may
      share one.
    limits.address_checks: Checked codes by client address.
    limits.address_signups: Guided signups by client address.
    limits.prefix_sends: Messages to the ten thousand numbers that differ in their last four digits only.
    limits.country_sends: Messages to one country.
    limits.service_sends: All messages.
    limits.daily_budget: The most messages in any 24 hours, which bounds what fraud can cost; 0 for no bound.
    guard: Against toll fraud: someone who is paid for messages to numbers of their own requests thousands of codes and
      enters none. The guard compares messages with approvals within a day, by prefix (all but the last four digits) and
      by country. `phoneproof guard` shows and overrides it.
    guard.mode: shadow lets messages through and records what enforce would stop.
    guard.answer: What a stopped request gets. refuse: rate_limited, by guard-block. silent: the response that others
      get, and no message.
    guard.prefix_sample: The messages to a prefix before it is judged.
    guard.prefix_percent: Below this percentage of approvals messages are stopped: at first unless the caller vouches
      for the person (guard-challenge), and when the codes have expired for all (guard-block).
    guard.country_sample: The messages to a country before it is judged.
    guard.country_percent: Below this percentage the country's prefixes that have no better one are stopped.
    guard.block_seconds: How long a block lasts; it is renewed while the attack goes on.
    test_numbers: Numbers with a fixed code, to try out an app. Nothing is sent to them, and they count towards no
      limit. Somebody may guess such a code: give their accounts nothing of value.
    test_numbers.allow_in_production: Whether `serve` allows them with profile: production.
    test_numbers.numbers: Each is a number, an equals sign and its code.
    test_numbers.until: When they expire, and what was begun before with them. Required if there are any.
    signup.ttl_seconds: How long a guided signup over HTTP may take.
    accounts.recycling: What happens when somebody proves the number of a dormant account. sign_in: it is the same
      person. quarantine: it is someone else, who gets a new account; the old one has no number from then on. ask:
      signup gives account_dormant until it is decided at /v1/signups/{id}/dormant-account within ten minutes, by a key
      of the scope accounts, or for a new account by the person. An account changes to such a number only with
      quarantine.
    accounts.dormant_days: Days without a sign of life until an account is dormant, 0 for never. In the United States a
      number may go to someone else after 45 days.
    accounts.hold_days: Days until an account without a number is deleted. A device that is still signed in can give it
      another number; with tokens.idle_days under dormant_days there is none.
    accounts.deletion_grace_days: Days until an account is deleted after its holder's request, and never before
      undo_hours. Signing in cancels it.
    accounts.undo_hours: How long the holder of the old number can undo a change of number.
    accounts.undo_url: The page where they do so; the old number is sent it with a secret at its end. By default the
      service's page, /undo/ under tokens.issuer. Your own page posts the secret to /v1/number-changes/undo, and must be
      in server.cors.origins. Keep it short: it is sent by SMS.
    accounts.fresh_proof_minutes: How long after signing in the number may be changed; 0 for as long as the session
      lasts.
    messages.directory: A folder of texts that replace or add to the built-in ones, plain UTF-8:
      <locale>/verification.txt with {{code}}, {{service}} and {{minutes}}, <locale>/number-changed.txt with {{link}}
      and {{service}}, and templates/<name>/<locale>/verification.txt for requests that name this template, with
      variables of its own such as {{order}} (at most 20 characters, no links). A message must fit one SMS.
    messages.service_name: The sender's name in messages.
    messages.local_service_names: The name in other languages: [ko=에이스, en=Ace]. Hangul does not fit an English message,
      nor an umlaut a Korean one.
    messages.web_host: The site where phones fill the code in: adds the line "@example.com #123456".
    messages.android_app_hash: By it Android gives the message to your app (SMS Retriever).
    messages.allow_long: Whether a text may cost more than one SMS; the notice to an old number always may.
    sms.timeout_seconds: How long a gateway may take to respond.
    sms.concurrent_sends: The most messages that are sent at a time. A gateway that responds within 200 ms takes five
      times as many a second.
    sms.max_attempts: How often a message is tried, never after its code has expired. Then it fails, or is unknown if a
      gateway that did not respond may have taken it (`phoneproof outbox`).
    sms.gateway: Who sends the messages. The next is used when one is down, busy or out of money, and never when a
      message may have been taken. stub: messages stay here and are shown at /inbox, for development. console: they are
      written to the standard error stream. http: any other vendor.
    sms.breaker.failures: So many failures in a row (down or no response) move messages to the next gateway.
    sms.breaker.open_seconds: The time until one message tries that gateway again; while that fails, it doubles up to
      two minutes.
    sms.stub.allow_remote: Whether other machines can reach the stub, which shows every code. A proxy on this machine
      must not pass /stub, /inbox and /2010-04-01. Each instance has its own; for several, run `phoneproof sms-stub` and
      set sms.twilio.base_url. If true, a message with a StatusCallback is refused.
    sms.stub.hosts: Host names by which programs on this machine call the stub, beside localhost and 127.0.0.1, for
      those that know only api.twilio.com. They must resolve to this machine (/etc/hosts), and be in the certificate.
    sms.twilio.account_sid: The account: AC and 32 hexadecimal digits.
    sms.twilio.auth_token: The auth token.
    sms.twilio.from: The sender, which may be a short code as well.
    sms.twilio.base_url: The API; http://127.0.0.1:8081 for `phoneproof sms-stub`.
    sms.twilio.status_callback_url: The URL that Twilio sends receipts to, exactly as Twilio calls it, since that is
      signed. Without it nobody learns whether messages arrive.
    sms.sens: NAVER Cloud SENS.
    sms.sens.service_id: The service, as the console shows it.
    sms.sens.access_key: The name of the access key.
    sms.sens.secret_key: The secret key.
    sms.sens.agency: Whether this is a government agency, which has an API of its own, and may send from a number such
      as 112.
    sms.sens.from: The sender. A text over 90 bytes needs messages.allow_long (LMS).
    sms.sens.base_url: The API.
    sms.solapi.api_key: The API key's name.
    sms.solapi.api_secret: The API key's secret.
    sms.solapi.from: The sender.
    sms.solapi.base_url: The API; CoolSMS has it at https://api.coolsms.co.kr.
    sms.solapi.alimtalk: With all three, codes to Korean numbers go to KakaoTalk, and by SMS to those whom that does not
      reach.
    sms.solapi.alimtalk.channel_id: The channel (pfId).
    sms.solapi.alimtalk.template_id: The approved template.
    sms.solapi.alimtalk.variables: What the template's variables stand for.
    sms.receipts: sens and solapi are asked how messages fared, at ages that double.
    sms.receipts.first_seconds: The age of a message when its gateway is first asked.
    sms.receipts.hours: The age when it is last asked; 0 for never.
    sms.sns.region: The region that sends; not each one can.
    sms.sns.access_key_id: The key of a user that may only sns:Publish. Roles of a machine are not read.
    sms.sns.secret_access_key: The key's secret.
    sms.sns.session_token: The token of temporary credentials, which expire and are not renewed.
    sms.sns.sender_id: The sender's name, where the country allows one.
    sms.sns.origination_number: The account's number that sends; without it Amazon chooses.
    sms.sns.base_url: The API, if it is not Amazon's in that region.
    sms.vonage.api_key: The account: 8 letters and digits.
    sms.vonage.api_secret: The secret.
    sms.vonage.from: The sender; names only where the country allows them.
    sms.vonage.base_url: The SMS API.
    sms.http: Any other vendor. Headers and body have variables: {{to}} +821012345678, {{to_digits}} 821012345678,
      {{to_national}} 01012345678, {{body}} the text, {{from}}, {{id}} the message's ID (the same with each attempt),
      {{language}}, {{secret}}, and {{secret_base64}} (of user:password, for Basic). A body that is invalid, or lacks
      the number or the text, is an error at start.
    sms.http.url: Where messages are sent. Redirects are not followed.
    sms.http.method: The method of the request.
    sms.http.format: The format of the body, by which values are escaped: json (variables within quotes), form
      (name={{to}}&...), xml, or text, where nothing is escaped.
    sms.http.body: The body of the request.
    sms.http.headers: Further headers. Content-Type replaces that of the format.
    sms.http.from: What {{from}} stands for.
    sms.http.secret: What {{secret}} stands for.
    sms.http.idempotent: Whether the vendor sends a message with the same {{id}} once only. If not, a message without a
      response is not sent to it again, but unknown.
    sms.http.answer: 2xx means that the message was taken. By themselves 408, 425, 429 and 5xx mean retry, 3xx and other
      4xx the next gateway.
    sms.http.answer.success_pointer: Where the JSON of a 2xx must have one of success_values (RFC 6901). Without it 2xx
      means success.
    sms.http.answer.success_values: The values that mean success.
    sms.http.answer.id_pointer: Where the vendor's message ID is.
    sms.http.answer.code_pointer: Where a refusal (2xx or 4xx) has its code; by default success_pointer.
    sms.http.answer.retry_codes: The codes that mean retry; others mean the next gateway.
    sms.http.answer.refuse_codes: The codes that mean a bad number, so it fails.
    sms.http.answer.retry_statuses: The statuses that mean retry.
    sms.http.answer.failover_statuses: The statuses that mean the next gateway.
    sms.http.answer.refuse_statuses: The statuses that mean a bad number, so the message fails.
    webhooks: A POST to a program of yours for each event, signed as Standard Webhooks has it
      (https://www.standardwebhooks.com). An event is delivered at least once, with the same webhook-id, in no order. It
      has the number, and never a code. `phoneproof webhooks` tries the receiver out.
    webhooks.url: The receiver: https, or http on this machine. Redirects are not followed.
    webhooks.secrets: One secret, or several while they are changed, separated by white space or commas, as `phoneproof
      webhooks secret` makes them. Events are signed with each.
    webhooks.events: The events that are sent. verification.failed: too many wrong codes, no gateway took the message,
      or it expired. number.changed: an account has another number. guard.blocked: a prefix is blocked.
    webhooks.timeout_seconds: How long the receiver may take to respond by 2xx. 410 means that it never wants the event.
    webhooks.max_attempts: How often an event is tried, with waits that double from 5 seconds to 8 hours: 20 take two
      days. Then it is failed until retention.days are over.
    twilio_verify: Twilio Verify's interface (v2) at /v2, for programs that use it: they need this service's address,
      and keys by `phoneproof keys create --twilio`.
    twilio_verify.enabled: Whether it is served.
    twilio_verify.address: The service's URL for such programs, without /v2; lists have links that begin with it. By
      default the one of the request, by http: set it where TLS ends before this service.
    twilio_verify.resend_cooldowns_seconds: As in verification. Twilio Verify has none; other limits count all the same.
    tokens.issuer: The URL of this service in access tokens (iss), compared letter by letter. By default the address
      that is listened at.
    tokens.audience: Whom access tokens are for (aud). By default the issuer.
    tokens.access_ttl_seconds: How long an access token is valid. Others that verify it need not ask this service, so a
      session that was ended works with them until then.
    tokens.refresh_grace_seconds: How long a used refresh token is valid once more, for a client that lost the response.
      Later its use ends the session: someone has a copy.
    tokens.session_days: How long a session lasts, however much it is used.
    tokens.idle_days: How long it lasts without being used.
    tokens.browser_hours: How long a browser that signed in on the pages for clients of OpenID Connect need not do so
      again.
    tokens.signing_key_ahead_seconds: How long a new signing key is published before it signs. Clients are told to fetch
      the keys again after 600 seconds; some do so later.
    retention.days: Days until ended verifications, their messages, events and unused numbers are deleted. Longer than
      verification.failure_lockout_seconds. Accounts stay.
    retention.audit_days: Days until entries of the audit log are deleted.
    log.level: No level logs a code or a whole number.
    log.format: text for people, or json: an object on each line.
    metrics: For Prometheus. No metric has a number, a code or a key.
    metrics.enabled: Whether metrics are collected: requests, verifications, messages, limits, the guard, the store, the
      process.
    metrics.port: The port of a listener of their own, which needs no API key. Without it they are at /metrics of the
      service, for programs on this machine and for keys of the scope admin.
    metrics.host: The address of that listener.
    tracing.sample_ratio: The share of traces that is recorded, of those that begin here.
    tracing.otlp_endpoint: An OpenTelemetry collector that takes OTLP/HTTP as JSON, without /v1/traces. Without it the
      OTEL_EXPORTER_OTLP_… variables count. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES are always sent.
    tracing.headers: Headers for the collector: name=value pairs, separated by commas or line ends, values
      percent-encoded: authorization=Bearer%20token.
    """
