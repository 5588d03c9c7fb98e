// Runs a script of the project on Node 24 or later: the one running this file, the machine's own, or the one from the
// project's optional dependency. Plain JavaScript, because Node 20 has to be able to read it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const MAJOR_MIN = 24;
const RUNNER_LOOK_MS = 250;
const project = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [script, ...rest] = process.argv.slice(2);

if (script === undefined) {
  console.error("Say which script to run: node scripts/launch.mjs scripts/start.ts");
  process.exit(2);
}
// Where Node caches compiled code, for this process and its children; it halves the processor time of later starts.
process.env.NODE_COMPILE_CACHE ??= join(project, "node_modules/.cache/compiled");
endWithRunner();
if (majorOf(process.version) >= MAJOR_MIN) {
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  process.argv = [process.execPath, resolve(script), ...rest];
  await import(pathToFileURL(resolve(script)).href);
} else {
  const node = findNode();
  if (node === undefined) {
    console.error(
      `Fairtick needs Node ${MAJOR_MIN} or later; this is ${process.version}. Run "npm ci" without --omit=optional ` +
        `(it brings one along for Linux on x64 and arm64), or install Node ${MAJOR_MIN} from https://nodejs.org.`,
    );
    process.exit(1);
  }
  passOn(node);
}

function majorOf(version) {
  return Number(/^v(\d+)\./.exec(version.trim())?.[1] ?? 0);
}

/** Returns the machine's own Node if it is new enough, or else the one in node_modules. */
function findNode() {
  const onPath = (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, "node"));
  const bundled = join(project, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  return [...onPath, bundled].find((path) => {
    if (!existsSync(path)) return false;
    const asked = spawnSync(path, ["--version"], { encoding: "utf8" });
    return asked.status === 0 && majorOf(asked.stdout) >= MAJOR_MIN;
  });
}

/**
 * Sends this process SIGTERM once the `npm run` that started it is gone. npm passes a signal to its shell, which dies
 * without passing it on, so the signal itself never arrives here. Without such a runner nothing is watched, because a
 * daemon may outlive the shell that started it.
 */
function endWithRunner() {
  if (process.env.npm_lifecycle_event === undefined && process.env.NODE_RUN_SCRIPT_NAME === undefined) return;
  const shell = process.ppid;
  const runner = isShellOfRunner(shell) ? parentOf(shell) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === shell && (runner === undefined || parentOf(shell) === runner)) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, RUNNER_LOOK_MS);
  timer.unref();
}

/**
 * Returns whether it is the `sh -c` between npm and its script; some shells replace themselves with the script instead.
 */
function isShellOfRunner(pid) {
  return readProcess(pid, "cmdline").split("\0")[1] === "-c";
}

function parentOf(pid) {
  const text = readProcess(pid, "stat");
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
  const parent = text.slice(text.lastIndexOf(")") + 2).split(" ")[1];
  return parent === undefined || parent === "" ? undefined : Number(parent);
}

/** Reads a file of /proc; returns an empty text if the process is gone or the system has no /proc. */
function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/**
 * Passes on script, signals and exit code. Through the channel, the script learns that this process was killed (it gets
 * "disconnect"), which no signal could tell it.
 */
function passOn(node) {
  const path = `${dirname(node)}:${process.env.PATH ?? ""}`;
  const child = spawn(node, [script, ...rest], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, PATH: path },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    console.error(`${node} cannot be run: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 1));
  });
}
