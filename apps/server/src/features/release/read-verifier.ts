import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Where a build puts the tarball. */
const TARBALL = resolve(import.meta.dirname, "../../../../../packages/transparency/dist/verifier.tgz");

/** The verifier that the house offers for download: an npm package, made by scripts/pack-verifier.ts. */
export interface VerifierTarball {
  readonly bytes: Buffer;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
}

/** Reads the tarball once; null if none was packed. */
export function readVerifier(path = TARBALL): VerifierTarball | null {
  try {
    const bytes = readFileSync(path);
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
