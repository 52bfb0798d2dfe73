/**
 * A PhoneProof service, as a server, a page or an app calls it: one file without dependencies, to be copied into a project. It
 * runs where there is `fetch`: in Node 20 or later, Deno, Bun, browsers and workers. Its types are those of the OpenAPI document.
 *
 * ```ts
 * const phone = new PhoneProof({ server: "https://phone.example", apiKey });
 * const { id } = await phone.begin({ phone_number: "+821012345678" });
 * const { status } = await phone.check(id, code);   // "approved", or a PhoneProofError says why not
 * ```
 *
 * An API key belongs on a server. Pages and apps use `beginSignup`, which needs none.
 */

// Made by scripts/generate/typescript-types from the OpenAPI document.

export type ProblemCode =
  | "account_dormant"
  | "account_suspended"
  | "body_too_large"
  | "challenge_failed"
  | "challenge_required"
  | "channel_unavailable"
  | "code_expired"
  | "code_incorrect"
  | "consent_required"
  | "header_too_large"
  | "idempotency_conflict"
  | "insufficient_scope"
  | "internal_error"
  | "invalid_phone_number"
  | "invalid_request"
  | "max_checks_reached"
  | "max_sends_reached"
  | "method_not_allowed"
  | "not_found"
  | "number_change_not_found"
  | "number_taken"
  | "rate_limited"
  | "reauthentication_required"
  | "region_not_allowed"
  | "resend_too_soon"
  | "send_denied"
  | "session_not_found"
  | "signature_invalid"
  | "signup_not_found"
  | "unauthorized"
  | "unavailable"
  | "unsupported_media_type"
  | "verification_closed"
  | "verification_not_found";

export type BegunSignup = {
  id: string;
  /** The bearer token of every later call. It is not shown again. */
  token: string;
  state: SignupState;
  verification: SignupVerification;
  /** The result, once signed up. */
  account: Account | null;
  consent?: Consent;
  reference?: Reference;
  tags?: Tags;
};

export type Signup = {
  id: string;
  state: SignupState;
  verification: SignupVerification;
  /** The result, once signed up. */
  account: Account | null;
  consent?: Consent;
  reference?: Reference;
  tags?: Tags;
};

export type BeginSignup = {
  region?: NumberingRegion;
  locale?: MessageLocale;
  reference?: Reference;
  tags?: Tags;
};

export type SendCode = {
  /** Any text. */
  phone_text?: string | null;
  channel?: ChannelChoice;
  proof?: StartProof;
  signals?: Signals;
};

export type SubmitCode = {
  /** Any text. */
  code_text: string;
  /** The version of the rules that the person accepts: that of the signup's `consent`. Any other is no consent. */
  consent?: string;
};

export type CompletedSignup = {
  id: string;
  state: SignupState;
  verification: SignupVerification;
  account: Account;
  /** Null in a repeated response if they have been used meanwhile. */
  tokens: Tokens | null;
  consent?: Consent;
  reference?: Reference;
  tags?: Tags;
};

export type Tokens = {
  /** The bearer token for the account's calls: a JWT (RFC 9068) that any program can verify with the keys at `/.well-known/jwks.json`. */
  access_token: string;
  token_type: "Bearer";
  /** Lifetime of the access token in seconds. */
  expires_in: number;
  /** Gets the next tokens, once. Opaque: its format may change. */
  refresh_token: string;
  scope: "account";
};

export type Session = {
  id: string;
  /** The `User-Agent` at signup. */
  user_agent: string | null;
  /** The OpenID Connect client that has it; absent for a person's own. */
  client_id?: string;
  created_at: string;
  /** When its tokens were last refreshed. */
  last_used_at: string;
  /** When it ends unless it is used again. */
  expires_at: string;
  /** Whether it is the session of this request. */
  is_current: boolean;
};

export type AccountDetails = {
  id: string;
  /** Null once someone else has it. */
  phone_number: string | null;
  /** As written in its country. */
  national_format: string | null;
  /** False only while there is no number. */
  phone_number_verified: boolean;
  /** Since when it has this number, or none. */
  phone_number_since: string;
  created_at: string;
  /** To within an hour. */
  last_active_at: string;
  metadata: Metadata;
  /** When it will be deleted, unless its owner signs in or gives it a number before. */
  deletion_due_at: string | null;
  /** The version of the operator's rules that its owner has accepted last. */
  consent: {
    version: string;
    accepted_at: string;
  } | null;
  /** By what the operator's programs know it, such as its ID where it was imported from. Most have none. */
  external_id?: string;
};

export type BeginNumberChange = {
  /** In any format; without `+`, as dialled in the region. */
  phone_number: string;
  region?: NumberingRegion;
  locale?: MessageLocale;
  /** Solves a `challenge`; worth one message. */
  proof?: string | null;
};

export type BeginVerification = {
  /** In any format; without `+`, as dialled in the region. */
  phone_number: string;
  region?: NumberingRegion;
  channel?: ChannelChoice;
  locale?: MessageLocale;
  /** The person's IPv4 or IPv6 address, which limits apply to. */
  client_address?: string | null;
  proof?: StartProof;
  signals?: Signals;
  /** Whether you have checked by other means, such as a captcha, that this is a person. */
  vouched?: boolean | null;
  reference?: Reference;
  tags?: Tags;
};

export type Verification = {
  id: string;
  phone_number: string;
  /** As written in its country. */
  national_format: string;
  region: Region;
  channel: Channel;
  /** Those that follow where a message fails; none where the request named its channel. */
  next_channels: Channel[];
  /** What the person sends from the number, while the channel is `inbound`. It is no code. */
  inbound?: {
    to: string;
    text: string;
  };
  status: "pending" | "approved" | "canceled" | "expired" | "max_attempts_reached" | "failed";
  created_at: string;
  /** When the code expires; a slow gateway extends it. */
  expires_at: string;
  /** The seconds until `expires_at`. */
  expires_in: number;
  /** When the code may be sent again. */
  next_send_at: string;
  /** The seconds until `next_send_at`. */
  next_send_in: number;
  /** How many times the code may still be sent. */
  sends_left: number;
  checks_left: number;
  /** Your own, if you gave one. */
  reference?: string;
  tags?: Record<string, string>;
};

export type Challenge = ProofOfWork | Captcha | AppChallengeAlone;

export type SignupState = {
  /** The text of the phone field, hyphens included; what is no number, as it was typed. */
  phone_text: string;
  /** Whether the phone field has a number that can get a code. */
  is_send_enabled: boolean;
  /** Whether a code was sent and can be sent again now, rate limits aside. */
  is_resend_enabled: boolean;
  /** Whether there is no code to enter yet. */
  is_code_field_hidden: boolean;
  /** The text of the code field, if the request brought it. */
  code_text: string;
  /** Whether the request brought text that may be a code. */
  is_sign_up_enabled: boolean;
  /** Whether a tap is being handled. */
  is_busy: boolean;
  /** Those by which the code can be sent, once one was sent; the one in use among them. */
  channels: Channel[];
  challenge: Challenge | null;
  /** Why the last tap failed. */
  failure: Failure | null;
};

/** The verification of the number in the phone field. */
export type SignupVerification = Verification | null;

export type Account = {
  id: string;
  /** Null once someone else has it. */
  phone_number: string | null;
  created_at: string;
  /** Whether this signup created it. */
  is_new: boolean;
};

/** What the person is to accept, where the operator asks for that (`pages.consent`). */
export type Consent = {
  version: string;
  /** Whether there is no new account without it. */
  is_required: boolean;
  terms_url: string | null;
  privacy_url: string | null;
};

/** Your own, such as the number of an order, to find the verification by: one line, without an international phone number (+82 10...). With `tags` it is in responses, webhooks, the audit log and figures, and goes with the number when that is erased. */
export type Reference = string | null;

/** Your own values, one line each; their names are 1 to 32 letters, digits and `-._`. A start that sends the code again replaces reference and tags if it has any. */
export type Tags = Record<string, string> | null;

/** The ISO 3166-1 code of the region whose numbering plan reads a number without `+`, in either case; the server's own by default. The tag `Phone numbers` lists the regions. */
export type NumberingRegion = string | null;

/** Language of the message, BCP 47 or POSIX; the server's by default. */
export type MessageLocale = string | null;

/** How to send the code. `auto`, the default, takes the order of the number's country, and the next channel where no gateway accepts the message; a channel that is named never changes by itself. */
export type ChannelChoice = Channel | null;

/** Solves a `challenge`, worth one message; or proves the number in place of one. */
export type StartProof = string | null | AppProof | NumberProof;

/** What distinguishes the client, for limits of their own. */
export type Signals = {
  device_id?: string | null;
  platform?: string | null;
  user_agent?: string | null;
  ja4?: string | null;
} | null;

/** Any JSON object of at most 16384 bytes and 8 levels. The account's owner can read and write it. */
export type Metadata = Record<string, unknown>;

/** ISO 3166-1 code; 001 for a number of no country. */
export type Region = string;

/** How a code reaches the person; `inbound` where the person sends a message instead, `sim` where a token proved the number. */
export type Channel = string;

/** Find the number from 0 to `maxnumber` of which the SHA-256 of `salt` and its decimal digits is `challenge`. `proof` is base64 of the JSON object with `algorithm`, `challenge`, `number`, `salt` and `signature`. */
export type ProofOfWork = {
  kind: "proof_of_work";
  algorithm: "SHA-256";
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
  expires_at: string;
  expires_in: number;
  app?: AppChallenge;
  is_required?: boolean;
};

/** A captcha (`challenge.kind`); `proof` is its token. */
export type Captcha = {
  kind: "turnstile" | "hcaptcha" | "recaptcha_v2" | "recaptcha_v3" | "friendly_captcha";
  site_key: string;
  action: string;
  proof_of_work: ProofOfWork | null;
  app?: AppChallenge;
  is_required?: boolean;
};

/** Only the operator's own app causes messages. */
export type AppChallengeAlone = {
  kind: "app";
  app: AppChallenge;
  is_required?: boolean;
};

/** Why a tap failed: the problem with this `code`, without its HTTP members. */
export type Failure = {
  code: "invalid_request" | "invalid_phone_number" | "region_not_allowed" | "channel_unavailable" | "resend_too_soon" | "max_sends_reached" | "rate_limited" | "challenge_required" | "challenge_failed" | "send_denied" | "code_incorrect" | "code_expired" | "max_checks_reached" | "verification_not_found" | "verification_closed" | "account_dormant" | "account_suspended" | "consent_required" | "unavailable";
  detail: string;
  message: string;
  reason?: "empty" | "not_a_number" | "too_long" | "too_short" | "unknown_region" | "unsupported_calling_code" | "no_such_number" | "kind_not_accepted" | "invalid" | "expired" | "early" | "used" | "unavailable";
  challenge?: Challenge;
  next_send_at?: string;
  /** The seconds until `next_send_at`. */
  next_send_in?: number;
  retry_after?: number;
  sends_left?: number;
  violated_policies?: string[];
  allowed_regions?: Region[];
  channels?: Channel[];
  checks_left?: number;
};

/** `app_attest`: `key_id` and, of a new key, its `attestation`, afterwards an `assertion`, both in base64, over the SHA-256 of the nonce. `play_integrity`: a `token` for the nonce, or for it as the request's hash. */
export type AppProof = {
  kind: "app_attest" | "play_integrity";
  nonce: string;
  key_id?: string | null;
  attestation?: string | null;
  assertion?: string | null;
  token?: string | null;
};

/** Proves the number of the SIM: approved at once, without a message. */
export type NumberProof = {
  kind: string;
  token: string;
  /** What it is bound to. */
  nonce?: string | null;
};

/** What the operator's app can have signed by its device's maker, in place of all else. */
export type AppChallenge = {
  /** For one message to this number. */
  nonce: string;
  expires_at: string;
  expires_in: number;
};

// End of what is made.

/** What the service says when it refuses (RFC 9457). Codes that a newer service has are strings, too. */
export interface Problem {
  status: number;
  code: ProblemCode | (string & {});
  title: string;
  detail: string;
  /** For the person, in the language that was asked for. */
  message?: string;
  /** The member of the request that is wrong. */
  field?: string;
  /** In seconds. */
  retry_after?: number;
  checks_left?: number;
  sends_left?: number;
  violated_policies?: string[];
  challenge?: Challenge;
  /** The guided signup as it is after the refusal. */
  signup?: Signup;
  [member: string]: unknown;
}

/**
 * A call that was not done. `kind` says what is known: the service refused it (`problem` says why), nobody answered, or the answer
 * is none of the service's.
 */
export class PhoneProofError extends Error {
  readonly kind: "refused" | "unreachable" | "not_understood";
  readonly status: number | undefined;
  readonly problem: Problem | undefined;

  constructor(kind: PhoneProofError["kind"], text: string, status?: number, problem?: Problem) {
    super(text);
    this.name = "PhoneProofError";
    this.kind = kind;
    this.status = status;
    this.problem = problem;
  }

  get code(): Problem["code"] | undefined {
    return this.problem?.code;
  }
}

export interface Options {
  /** Its base URL, such as `https://phone.example`. */
  server: string;
  /** Of the scope `verifications`, for `begin`, `check`, `verification` and `cancel`. */
  apiKey?: string;
  /** Of messages for the person (BCP 47), such as `ko`; the service's own unless given. */
  language?: string;
  /** How often a call is tried that may be repeated: 3 unless given. */
  attempts?: number;
  /** Before the second attempt where the service names no time, in milliseconds; then twice as long each. 200 unless given. */
  firstWait?: number;
  /** A call that would have to wait longer fails; in milliseconds, 10,000 unless given. */
  longestWait?: number;
  /** After which a request without an answer counts as lost, in milliseconds; 30,000 unless given. */
  timeout?: number;
  fetch?: typeof fetch;
  /** Waits before a repetition. */
  pause?: (milliseconds: number) => Promise<void>;
  /** An `Idempotency-Key`, never the same twice. */
  makeKey?: () => string;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
}

/** Finds the number that solves a proof of work; null gives up. */
export type Solver = (work: Work) => number | null | Promise<number | null>;

export interface Work {
  algorithm: string;
  challenge: string;
  salt: string;
  signature: string;
  maxnumber: number;
}

/** What a call does if an attempt fails: `unavailable` repeats only where the service says that it has done nothing. */
type Repetition = "always" | "unavailable";

interface Call {
  token?: string | undefined;
  fields?: object | undefined;
  key?: string | undefined;
  repetition?: Repetition;
}

export class PhoneProof {
  readonly #options: Required<Omit<Options, "apiKey" | "language">> & Pick<Options, "apiKey" | "language">;

  constructor(options: Options) {
    const url = new URL(options.server);
    if ((url.protocol !== "https:" && url.protocol !== "http:") || url.search || url.hash || url.username) {
      throw new TypeError(`${url.protocol}//${url.host} is no base URL of a service: it is https://HOST, perhaps with a path`);
    }
    this.#options = {
      attempts: 3,
      firstWait: 200,
      longestWait: 10_000,
      timeout: 30_000,
      fetch: (...given) => globalThis.fetch(...given),
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      makeKey: () => crypto.randomUUID(),
      now: () => Date.now(),
      ...options,
      server: url.href.replace(/\/+$/, ""),
    };
  }

  // What a server does with an API key.

  /**
   * Sends a code to a number, or again that of the verification in progress.
   *
   * @param key An `Idempotency-Key`, where the caller repeats calls itself: of one order, say.
   */
  begin(fields: BeginVerification, key?: string): Promise<Verification> {
    return this.#verifications("POST", "", fields, key ?? this.#options.makeKey());
  }

  /** Checks what the person typed. A wrong code is an error with `checks_left`. */
  check(id: string, code: string, key?: string): Promise<Verification> {
    return this.#verifications("POST", `/${encodeURIComponent(id)}/checks`, { code }, key ?? this.#options.makeKey());
  }

  verification(id: string): Promise<Verification> {
    return this.#verifications("GET", `/${encodeURIComponent(id)}`);
  }

  cancel(id: string): Promise<Verification> {
    return this.#verifications("DELETE", `/${encodeURIComponent(id)}`);
  }

  #verifications(method: string, path: string, fields?: object, key?: string): Promise<Verification> {
    return this.call(method, `/v1/verifications${path}`, { token: this.#options.apiKey, fields, key });
  }

  // What an app does for a person.

  /** Begins a guided signup. Its ID and token can be kept, to go on with it by `signup`. */
  async beginSignup(fields: BeginSignup = {}, solver?: Solver): Promise<GuidedSignup> {
    const body = await this.call<BegunSignup>("POST", "/v1/signups", { fields: { locale: this.#options.language, ...fields } });
    return new GuidedSignup(this, body, body.token, solver);
  }

  async signup(id: string, token: string, solver?: Solver): Promise<GuidedSignup> {
    const body = await this.call<Signup>("GET", `/v1/signups/${encodeURIComponent(id)}`, { token });
    return new GuidedSignup(this, body, token, solver);
  }

  /**
   * A person who is signed in, by the tokens of a signup.
   *
   * @param changed Called with new tokens, which replace the old ones wherever they are kept, and with null when the session ended.
   */
  session(tokens: SessionTokens, changed: (tokens: SessionTokens | null) => void = () => {}): PhoneSession {
    return new PhoneSession(this, tokens, changed, this.#options.now, this.#options.makeKey);
  }

  /** The tokens with the moment until which the access token is valid. */
  tokens(body: Tokens): SessionTokens {
    const { access_token, refresh_token, expires_in } = body;
    return { accessToken: access_token, refreshToken: refresh_token, expiresAt: this.#options.now() + expires_in * 1000 };
  }

  /** Any call of the API, with its repetitions. */
  async call<Body>(method: string, path: string, call: Call = {}): Promise<Body> {
    const { attempts, firstWait, longestWait, pause } = this.#options;
    for (let attempt = 1, wait = firstWait; ; attempt += 1, wait *= 2) {
      try {
        return await this.#once(method, path, call);
      } catch (error) {
        const own = error instanceof PhoneProofError ? waitAfter(error, call.repetition ?? "always") : null;
        const next = own === undefined ? wait : own;
        if (attempt >= attempts || next === null || next > longestWait) throw error;
        await pause(next);
      }
    }
  }

  async #once<Body>(method: string, path: string, call: Call): Promise<Body> {
    const headers: Record<string, string> = { Accept: "application/json, application/problem+json" };
    if (this.#options.language) headers["Accept-Language"] = this.#options.language;
    if (call.token) headers["Authorization"] = `Bearer ${call.token}`;
    if (call.key) headers["Idempotency-Key"] = `"${call.key}"`;
    if (call.fields) headers["Content-Type"] = "application/json";
    let response: Response, text: string;
    try {
      response = await this.#options.fetch(this.#options.server + path, {
        method,
        headers,
        body: call.fields ? JSON.stringify(call.fields) : null,
        // A token goes nowhere else, and is not stored.
        redirect: "error",
        cache: "no-store",
        credentials: "omit",
        signal: AbortSignal.timeout(this.#options.timeout),
      });
      text = await response.text();
    } catch (error) {
      throw new PhoneProofError("unreachable", `${this.#options.server} cannot be reached: ${String(error)}`);
    }
    const body = objectIn(text);
    if (response.ok && (body || text === "")) return body as Body;
    if (response.status >= 400 && typeof body?.["title"] === "string") {
      const after = Number(response.headers.get("Retry-After") ?? NaN);
      const problem = { detail: body["title"], code: "", ...body, status: response.status } as Problem;
      if (problem.retry_after === undefined && Number.isInteger(after)) problem.retry_after = after;
      throw new PhoneProofError("refused", problem.detail, response.status, problem);
    }
    throw new PhoneProofError("not_understood", `the answer with status ${response.status} is not PhoneProof's`, response.status);
  }
}

/** In milliseconds; undefined where the service names no time, and null where the call is not repeated. */
function waitAfter(error: PhoneProofError, repetition: Repetition): number | undefined | null {
  if (error.problem) {
    // Another request with the same key is in progress.
    const isInProgress = error.status === 409 && error.code === "idempotency_conflict";
    if (error.status !== 503 && !isInProgress) return null;
    return error.problem.retry_after === undefined ? undefined : error.problem.retry_after * 1000;
  }
  const isLost = error.kind === "unreachable" || [502, 503, 504].includes(error.status ?? 0);
  return isLost && repetition === "always" ? undefined : null;
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A guided signup: what a form does, step by step. `state` is what the form shows. */
export class GuidedSignup {
  readonly id: string;
  /** Goes on with the signup: keep it as a secret. */
  readonly token: string;
  readonly #phone: PhoneProof;
  readonly #solver: Solver | undefined;
  #signup: Signup;
  #consent: string | undefined;

  constructor(phone: PhoneProof, signup: Signup, token: string, solver?: Solver) {
    this.id = signup.id;
    this.token = token;
    this.#phone = phone;
    this.#signup = signup;
    this.#solver = solver;
  }

  /** As of the last answer. */
  get signup(): Signup {
    return this.#signup;
  }

  /** The text of the phone field as it is to be shown. */
  async edit(phone_text: string): Promise<Signup> {
    return (this.#signup = await this.#call("PATCH", "", { phone_text }));
  }

  /** Sends a code, or again the one in progress. What the guard wants to be solved first goes to the solver. */
  async send(fields: SendCode = {}): Promise<Signup> {
    try {
      this.#signup = await this.#call("POST", "/send", fields);
    } catch (error) {
      const work = workOf(error);
      const number = work && (await this.#solver?.(work));
      if (!work || number === null || number === undefined) throw error;
      this.#signup = await this.#call("POST", "/send", { ...fields, proof: proofOf(work, number) });
    }
    return this.#signup;
  }

  /** The person has accepted what `signup.consent` names. */
  acceptConsent(): void {
    this.#consent = this.#signup.consent?.version;
  }

  /** Checks the code, and signs the person up or in. */
  signUp(code_text: string): Promise<CompletedSignup> {
    return this.#call("POST", "/sign-up", { code_text, consent: this.#consent });
  }

  /** Of a number whose account nobody has used for long: it is somebody else's, or begins anew. */
  async chooseNewAccount(): Promise<void> {
    await this.#call("POST", "/dormant-account", { decision: "new_account" }, "always");
  }

  async #call<Body>(method: string, path: string, fields: object, repetition: Repetition = "unavailable"): Promise<Body> {
    try {
      return await this.#phone.call<Body>(method, `/v1/signups/${this.id}${path}`, { token: this.token, fields, repetition });
    } catch (error) {
      if (error instanceof PhoneProofError && error.problem?.signup) this.#signup = error.problem.signup;
      throw error;
    }
  }
}

function workOf(error: unknown): Work | null {
  const challenge = error instanceof PhoneProofError ? (error.problem?.challenge as Record<string, unknown> | undefined) : undefined;
  const work = challenge?.["kind"] === "proof_of_work" ? challenge : challenge?.["proof_of_work"];
  return (work as Work | undefined)?.algorithm === "SHA-256" ? (work as Work) : null;
}

/** In the form of ALTCHA. */
function proofOf(work: Work, number: number): string {
  const { algorithm, challenge, salt, signature } = work;
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
}

/** Solves a proof of work where this runs: some tenths of a second of one processor. In a page, call it in a worker. */
export async function solve(work: Work): Promise<number | null> {
  const encoder = new TextEncoder();
  for (let number = 0; number <= work.maxnumber; number += 1) {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(work.salt + number)));
    if (Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") === work.challenge) return number;
  }
  return null;
}

export interface SessionTokens {
  accessToken: string;
  /** Keep it as a secret. */
  refreshToken: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

/** What a person does with their account. Tokens are refreshed as needed, by one request however many calls need it. */
export class PhoneSession {
  readonly #phone: PhoneProof;
  readonly #changed: (tokens: SessionTokens | null) => void;
  readonly #now: () => number;
  readonly #makeKey: () => string;
  #tokens: SessionTokens | null;
  #refresh: Promise<SessionTokens> | null = null;

  /** Before the end of an access token, in milliseconds: for clocks that differ, and requests that take a while. */
  static readonly #margin = 30_000;

  constructor(
    phone: PhoneProof,
    tokens: SessionTokens,
    changed: (tokens: SessionTokens | null) => void,
    now: () => number,
    makeKey: () => string,
  ) {
    this.#phone = phone;
    this.#tokens = tokens;
    this.#changed = changed;
    this.#now = now;
    this.#makeKey = makeKey;
  }

  /** Null once the session has ended. */
  get tokens(): SessionTokens | null {
    return this.#tokens;
  }

  /** One that is valid, for another server of the operator's. */
  async accessToken(): Promise<string> {
    if (!this.#tokens) throw signedOut();
    if (this.#now() < this.#tokens.expiresAt - PhoneSession.#margin) return this.#tokens.accessToken;
    return (await this.#refreshed(this.#tokens)).accessToken;
  }

  account(): Promise<AccountDetails> {
    return this.#call("GET", "/v1/accounts/me");
  }

  /** Merges a patch into the metadata (RFC 7396): null removes a member. */
  editMetadata(metadata: Record<string, unknown>): Promise<AccountDetails> {
    return this.#call("PATCH", "/v1/accounts/me", { fields: { metadata } });
  }

  /** Asks for the deletion of the account, and signs out. */
  async deleteAccount(): Promise<AccountDetails> {
    const account = await this.#call<AccountDetails>("DELETE", "/v1/accounts/me", { repetition: "unavailable" });
    this.#end();
    return account;
  }

  async sessions(): Promise<Session[]> {
    return (await this.#call<{ sessions: Session[] }>("GET", "/v1/sessions")).sessions;
  }

  endSession(id: string): Promise<void> {
    return this.#call("DELETE", `/v1/sessions/${encodeURIComponent(id)}`, { repetition: "unavailable" });
  }

  /** Sends a code to the number that the account is to have. */
  async beginNumberChange(fields: BeginNumberChange, solver?: Solver): Promise<Verification> {
    try {
      return await this.#call("POST", "/v1/accounts/me/number-changes", { fields });
    } catch (error) {
      const work = workOf(error);
      const number = work && (await solver?.(work));
      if (!work || number === null || number === undefined) throw error;
      return this.#call("POST", "/v1/accounts/me/number-changes", { fields: { ...fields, proof: proofOf(work, number) } });
    }
  }

  numberChange(id: string): Promise<Verification> {
    return this.#call("GET", `/v1/accounts/me/number-changes/${encodeURIComponent(id)}`);
  }

  changeNumber(id: string, code: string): Promise<AccountDetails> {
    return this.#call("POST", `/v1/accounts/me/number-changes/${encodeURIComponent(id)}/checks`, { fields: { code } });
  }

  cancelNumberChange(id: string): Promise<Verification> {
    return this.#call("DELETE", `/v1/accounts/me/number-changes/${encodeURIComponent(id)}`);
  }

  async signOut(isEverywhere = false): Promise<void> {
    if (!this.#tokens) return;
    try {
      await this.#call("DELETE", isEverywhere ? "/v1/tokens?all=true" : "/v1/tokens");
    } catch (error) {
      // Then it has ended already.
      if (!isUnauthorized(error)) throw error;
    }
    this.#end();
  }

  async #call<Body>(method: string, path: string, call: Call = {}): Promise<Body> {
    const key = method === "POST" ? this.#makeKey() : undefined;
    const token = await this.accessToken();
    try {
      return await this.#phone.call<Body>(method, path, { ...call, key, token });
    } catch (error) {
      if (!isUnauthorized(error) || !this.#tokens) throw error;
      // Another call may have refreshed them meanwhile.
      const next = this.#tokens.accessToken === token ? await this.#refreshed(this.#tokens) : this.#tokens;
      return this.#phone.call<Body>(method, path, { ...call, key, token: next.accessToken });
    }
  }

  #refreshed(old: SessionTokens): Promise<SessionTokens> {
    this.#refresh ??= this.#phone
      .call<Tokens>("POST", "/v1/tokens", { fields: { refresh_token: old.refreshToken } })
      .then((body) => {
        this.#tokens = this.#phone.tokens(body);
        this.#changed(this.#tokens);
        return this.#tokens;
      })
      .catch((error: unknown) => {
        if (isUnauthorized(error)) this.#end();
        throw error;
      })
      .finally(() => {
        this.#refresh = null;
      });
    return this.#refresh;
  }

  #end(): void {
    if (!this.#tokens) return;
    this.#tokens = null;
    this.#changed(null);
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof PhoneProofError && error.code === "unauthorized";
}

function signedOut(): PhoneProofError {
  const detail = "The session has ended; sign in again.";
  return new PhoneProofError("refused", detail, 401, { status: 401, code: "unauthorized", title: "Unauthorized", detail });
}
