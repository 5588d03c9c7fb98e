import { spawn } from "node:child_process";
import { dirname, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "..");

/** Returns an environment in which this Node comes first, for tools that start others by name. */
export function toolEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  return { ...process.env, PATH: path, ...more };
}

/** Runs a tool written for Node in the project's folder, and collects what it prints. */
export function runTool(
  program: string,
  options: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [program, ...options], {
      cwd: PROJECT,
      env: toolEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString("utf8");
      });
    }
    child.on("error", reject);
    child.on("close", (code) => {
      done({ code, output });
    });
  });
}

/** How much of a tool's error output is kept: as much as its own summary takes. */
const COMPLAINTS_LENGTH = 20_000;

export interface Shown {
  readonly code: number;
  /** The end of its standard error output. */
  readonly complaints: string;
}

/** Runs a tool with its output on the terminal. Returns its exit code and the end of its error output. */
export function showTool(
  program: string,
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Shown> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [program, ...options], {
      cwd: PROJECT,
      env: toolEnvironment(environment),
      stdio: ["ignore", "inherit", "pipe"],
    });
    let complaints = "";
    child.stderr.on("data", (chunk: Buffer) => {
      process.stderr.write(chunk);
      complaints = (complaints + chunk.toString("utf8")).slice(-COMPLAINTS_LENGTH);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      done({ code: code ?? 1, complaints });
    });
  });
}
