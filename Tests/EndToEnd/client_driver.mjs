// The TypeScript client for test_typescript.py, as Tools/ClientDriver is the Swift client: a line of words on standard input is
// a call, and a line on standard output what it returned or threw. Pauses are printed, and not waited for.
import { createInterface } from "node:readline";

const [module, server, apiKey] = process.argv.slice(2);
const { PhoneProof, PhoneProofError } = await import(module);
let pauses = [];
const phone = new PhoneProof({ server, apiKey, timeout: 5000, pause: async (wait) => void pauses.push(wait / 1000) });
let signup, tokens, session;

const seconds = (number) => `${Number.isInteger(number) ? `${number}.0` : number} seconds`;
const verification = ({ id, status, checks_left }) => `${id} ${status}, ${checks_left} checks left`;
const account = ({ phone_number, metadata, deletion_due_at }) =>
  `${phone_number ?? "no number"} ${JSON.stringify(metadata)}${deletion_due_at ? ", to be deleted" : ""}`;

const calls = {
  begin: async (phone_number, channel, key) => verification(await phone.begin({ phone_number, channel }, key)),
  check: async (code, id) => verification(await phone.check(id, code)),
  get: async (id) => verification(await phone.verification(id)),
  cancel: async (id) => verification(await phone.cancel(id)),
  signup: async (solver) => {
    // What it is to solve, it guesses, and wrongly.
    signup = await phone.beginSignup({ region: "KR" }, solver === "guessing" ? (work) => work.maxnumber + 1 : undefined);
    return signup.signup.state.phone_text;
  },
  continue: async (id, token) => (signup = await phone.signup(id, token)).signup.state.phone_text,
  send: async (phone_text) => {
    const sent = await signup.send({ phone_text });
    return `sent to ${sent.verification.phone_number} by ${sent.state.channels.join(" or ")}, ${sent.verification.checks_left} checks left`;
  },
  "accept-consent": async () => {
    signup.acceptConsent();
    return `accepted ${signup.signup.consent?.version ?? "nothing"}`;
  },
  "choose-new-account": async () => {
    await signup.chooseNewAccount();
    return "chosen";
  },
  "sign-up": async (code) => {
    const done = await signup.signUp(code);
    tokens = phone.tokens(done.tokens);
    return done.account.is_new ? "new account" : "known account";
  },
  session: async (word) => {
    // As if they had expired by now, or as they are.
    session = phone.session(word === "expired" ? { ...tokens, expiresAt: 0 } : tokens);
    return "session";
  },
  "is-signed-in": async () => (session.tokens ? "signed in" : "signed out"),
  account: async (count = "1") => {
    const all = await Promise.all(Array.from({ length: Number(count) }, async () => account(await session.account())));
    return [...new Set(all)].join(" and ");
  },
  metadata: async (text) => {
    let patch = text;
    try {
      patch = JSON.parse(text);
    } catch {}
    return account(await session.editMetadata(patch));
  },
  sessions: async () => (await session.sessions()).map(({ id, is_current }) => (is_current ? "this" : id)).join(" "),
  end: async (id) => {
    await session.endSession(id);
    return "ended";
  },
  "begin-change": async (phone_number) => verification(await session.beginNumberChange({ phone_number, region: "KR" })),
  change: async (code, id) => account(await session.changeNumber(id, code)),
  "get-change": async (id) => verification(await session.numberChange(id)),
  "cancel-change": async (id) => verification(await session.cancelNumberChange(id)),
  delete: async () => account(await session.deleteAccount()),
  "sign-out": async () => {
    await session.signOut();
    return "signed out";
  },
};

function description(error) {
  if (!(error instanceof PhoneProofError)) return String(error);
  if (error.kind === "unreachable") return "unreachable";
  if (error.kind === "not_understood") return `not understood: ${error.status}`;
  const { status, code, retry_after, checks_left, sends_left, field, violated_policies } = error.problem;
  const more = [
    retry_after === undefined ? [] : `retry after ${seconds(retry_after)}`,
    checks_left === undefined ? [] : `${checks_left} checks left`,
    sends_left === undefined ? [] : `${sends_left} sends left`,
    field ?? [],
    violated_policies ?? [],
  ];
  return [`${status} ${code}`, ...more.flat()].join(", ");
}

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...words] = line.split(" ").filter(Boolean);
  const outcome = await calls[name](...words).catch(description);
  console.log([outcome, ...pauses.map((pause) => `waited ${seconds(pause)}`)].join(", "));
  pauses = [];
}
