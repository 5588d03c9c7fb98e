import { spawn } from "node:child_process";
import { toolEnvironment } from "../run-tool.ts";

/**
 * The two audits: known vulnerabilities of what ships, and whether installed packages have the registry's signatures.
 */
export const QUESTIONS = {
  audit: ["audit", "--omit=dev", "--json"],
  signatures: ["audit", "signatures", "--json"],
} as const;
export type Question = keyof typeof QUESTIONS;

export interface RegistryAnswer {
  /** `silent`: the registry didn't answer such a question, which many mirrors don't support. */
  readonly state: "clean" | "found" | "silent";
  /** The findings, or npm's message about the registry. */
  readonly said: string;
}

/** No retries, so that nobody without a registry waits for minutes. */
const PATIENCE = { npm_config_fetch_retries: "0", npm_config_fetch_timeout: "30000" };
const WAIT_MS_MAX = 60_000;

interface AuditReport {
  readonly metadata: { readonly vulnerabilities: { readonly total: number } };
  readonly vulnerabilities: Readonly<Record<string, { readonly severity: string }>>;
}
interface SignatureReport {
  readonly invalid: readonly { readonly name: string; readonly version: string }[];
  readonly missing: readonly { readonly name: string; readonly version: string }[];
}

/** Asks npm's registry, configured as in `root` unless one is given. No response within a minute counts as silent. */
export async function askRegistry(
  question: Question,
  root: string,
  { registry, waitMsMax = WAIT_MS_MAX }: { readonly registry?: string; readonly waitMsMax?: number } = {},
): Promise<RegistryAnswer> {
  const environment = { ...PATIENCE, ...(registry !== undefined && { npm_config_registry: registry }) };
  const { stdout, stderr } = await runNpm(QUESTIONS[question], root, environment, waitMsMax);
  const report = readReport(stdout);
  const found = question === "audit" ? weaknesses(report) : unsigned(report);
  if (found === null) return { state: "silent", said: stderr.trim() || "npm took too long" };
  return found.length === 0 ? { state: "clean", said: "" } : { state: "found", said: found.join("\n") };
}

function weaknesses(report: Partial<AuditReport>): readonly string[] | null {
  if (typeof report.metadata?.vulnerabilities.total !== "number") return null;
  return Object.entries(report.vulnerabilities ?? {}).map(
    ([name, { severity }]) => `${name}: a weakness is known (${severity}); see npm audit`,
  );
}

function unsigned(report: Partial<SignatureReport>): readonly string[] | null {
  if (report.invalid === undefined || report.missing === undefined) return null;
  return [
    ...report.invalid.map(({ name, version }) => `${name}@${version} is not what the registry signed`),
    ...report.missing.map(({ name, version }) => `${name}@${version} has no signature, though the registry signs`),
  ];
}

function readReport(text: string): Partial<AuditReport & SignatureReport> {
  try {
    return JSON.parse(text) as Partial<AuditReport & SignatureReport>;
  } catch {
    return {};
  }
}

function runNpm(
  options: readonly string[],
  root: string,
  environment: Readonly<Record<string, string>>,
  timeout: number,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((done, reject) => {
    const child = spawn("npm", options, { cwd: root, env: toolEnvironment(environment), timeout });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
    child.on("error", reject);
    child.on("close", () => done({ stdout, stderr }));
  });
}
