import { parseArgs } from "node:util";

/**
 * Measures members' logins while both doors are flooded for a minute: 1,000 wrong logins of members and 63 of operators.
 * The product runs elsewhere with `TRUSTED_PROXIES=1`, so that each guess can come from an address of its own:
 * `npm run bench:logins -- --url http://127.0.0.1:8080 --console http://127.0.0.1:8081 --account … --password …`.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    console: { type: "string", default: "http://127.0.0.1:8081" },
    account: { type: "string", default: "demo@fairtick.example" },
    password: { type: "string", default: "" },
    seconds: { type: "string", default: "60" },
  },
});
const DEVICE = "exchange2508device";
const MEMBER_GUESSES = 1_000;
const OPERATOR_GUESSES = 63;
const LOGINS = 120;
const spanMs = Number(values.seconds) * 1_000;

interface Login {
  readonly code: number;
  readonly ms: number;
  readonly key: string | null;
}

async function logIn(account: string, password: string, ip: string, key: string): Promise<Login> {
  const begun = performance.now();
  const response = await fetch(`${values.url}/client/auth/login`, {
    method: "POST",
    headers: { "x-forwarded-for": ip, [DEVICE]: key },
    body: new URLSearchParams({ account, password }),
  });
  const { code } = (await response.json()) as { code: number };
  return { code, ms: performance.now() - begun, key: response.headers.get(DEVICE) };
}

async function logInOperator(index: number): Promise<number> {
  const response = await fetch(`${values.console}/operator/session/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: values.console, "x-fairtick-console": "1" },
    body: JSON.stringify({ login: `operator-${index % 9}`, password: "a wrong password" }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Begins `count` tasks evenly over the span, whether those before have ended or not. */
async function spread<Value>(count: number, task: (index: number) => Promise<Value>): Promise<Value[]> {
  const waits = Array.from({ length: count }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * spanMs) / count));
    return task(index);
  });
  return Promise.all(waits);
}

function percentile(logins: readonly Login[], share: number): number {
  const sorted = logins.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

const { account, password } = values;
// A device may sign in twenty times a minute: the right logins come from six.
const keys: string[] = [];
for (let device = 0; device < 6; device += 1) {
  const { code, key } = await logIn(account, password, "203.0.113.251", "new");
  if (code !== 200 || key === null) throw new Error(`${account} cannot log in: ${code}`);
  keys.push(key);
}
const [guesses, operators, logins] = await Promise.all([
  spread(MEMBER_GUESSES, (index) =>
    logIn(`somebody${index}@example.org`, "a wrong password", `198.51.100.${index % 250}`, "new"),
  ),
  spread(OPERATOR_GUESSES, logInOperator),
  spread(LOGINS, (index) =>
    logIn(
      account,
      password,
      `203.0.113.${index % 250}`,
      index % 2 === 0 ? (keys[(index / 2) % keys.length] ?? "new") : "new",
    ),
  ),
]);
for (const [name, some] of [
  ["a known device", logins.filter((_, index) => index % 2 === 0)],
  ["a new device", logins.filter((_, index) => index % 2 === 1)],
] as const) {
  const right = some.filter(({ code }) => code === 200).length;
  console.log(
    `Right logins on ${name}: ${right} of ${some.length}; median ${percentile(some, 0.5)} ms, p99 ${percentile(some, 0.99)} ms`,
  );
}
console.log(`Wrong logins of members: ${guesses.filter(({ code }) => code !== 200).length} refused`);
console.log(
  `Wrong logins of operators: ${operators.filter((status) => status === 422 || status === 429).length} refused`,
);
const isRight = logins.every(({ code }) => code === 200) && percentile(logins, 0.99) <= 1_000;
console.log(
  isRight ? "Everybody with the right password got in within a second." : "FAULT: a right login was refused or late.",
);
process.exitCode = isRight ? 0 : 1;
