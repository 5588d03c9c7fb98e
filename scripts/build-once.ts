import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { giveUpOwnership, ownerOf, takeOwnership } from "@fairtick/postgres";

const PROJECT = resolve(import.meta.dirname, "..");
/** What installing, compiling and building write among the sources. */
const SKIPPED = /^(node_modules|\.types|.*\.tsbuildinfo|dist(\..*)?)$/;
const IS_TEST = /\.(test|stories)\.tsx?$/;
const WAIT_MS = 100;

/** Something that is built from sources and kept in the project. */
export interface Product {
  /** The absolute path of the file or folder. Beside it, `<output>.sources` keeps what it was built from. */
  readonly output: string;
  /** Files and folders, relative to the project. Tests in them don't count. */
  readonly sources: readonly string[];
  /** Builds it at another path, from which it is then moved into place. */
  readonly build: (draft: string) => Promise<void>;
}

/**
 * Builds a product unless it was built from exactly these sources. One process builds at a time: the others wait and
 * then use what it built. Returns whether this one built it. Rejects with the error of `build`.
 */
export async function buildOnce(product: Product): Promise<boolean> {
  if (isBuiltFrom(product, fingerprint(product.sources))) return false;
  const release = await lock(product.output);
  try {
    // Read again, because sources may have changed while another process was building.
    const wanted = fingerprint(product.sources);
    if (isBuiltFrom(product, wanted)) return false;
    await buildAgain(product, wanted);
    return true;
  } finally {
    release();
  }
}

/** Builds a product whatever is there already. */
export async function buildAnew(product: Product): Promise<void> {
  const release = await lock(product.output);
  try {
    await buildAgain(product, fingerprint(product.sources));
  } finally {
    release();
  }
}

async function buildAgain({ output, build }: Product, wanted: string): Promise<void> {
  const draft = `${output}.draft`;
  rmSync(draft, { recursive: true, force: true });
  try {
    await build(draft);
    rmSync(markOf(output), { force: true });
    rmSync(output, { recursive: true, force: true });
    renameSync(draft, output);
    writeFileSync(markOf(output), wanted);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const markOf = (output: string) => `${output}.sources`;

function isBuiltFrom({ output }: Product, wanted: string): boolean {
  const mark = markOf(output);
  return existsSync(output) && existsSync(mark) && readFileSync(mark, "utf8") === wanted;
}

/** Returns a hash of the sources' paths and contents. Times don't count: a checkout or an editor touches files. */
function fingerprint(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of sources.toSorted()) addTo(hash, path);
  return hash.digest("hex");
}

function addTo(hash: ReturnType<typeof createHash>, path: string): void {
  const full = join(PROJECT, path);
  const stats = statSync(full, { throwIfNoEntry: false });
  if (!stats || IS_TEST.test(path)) return;
  if (!stats.isDirectory()) {
    hash.update(`${path}\n${stats.size}\n`).update(readFileSync(full));
    return;
  }
  for (const name of readdirSync(full).toSorted()) if (!SKIPPED.test(name)) addTo(hash, join(path, name));
}

/** Waits until no other process builds this. Returns the function that lets the next one build. */
async function lock(output: string): Promise<() => void> {
  const owned = { path: dirname(output), owner: `${output}.building` };
  mkdirSync(owned.path, { recursive: true });
  for (;;) {
    if (ownerOf(owned) === undefined) {
      try {
        takeOwnership(owned);
        return () => {
          giveUpOwnership(owned);
        };
      } catch (error) {
        // Another process was faster, or nothing can be written here.
        if (ownerOf(owned) === undefined) throw error;
      }
    }
    await sleep(WAIT_MS);
  }
}
