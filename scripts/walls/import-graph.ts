import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** One import as written: static, re-exported, dynamic, or of a type (`import("pg").Pool`). */
export interface Import {
  /** The importing file, from the project's root: `apps/server/src/roles/server.ts`. */
  readonly from: string;
  /** Line number, counted from 1. */
  readonly line: number;
  /** `type` is erased when compiled; `dynamic` is loaded when it is asked for. */
  readonly kind: "static" | "dynamic" | "type";
  /** As written: `../market/index.ts`, `@fairtick/domain`, `node:fs`. */
  readonly specifier: string;
  /** The imported file, from the project's root; null for packages and Node's modules. */
  readonly file: string | null;
}

/** A source file: its path from the project's root, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const SOURCE = /\.(ts|tsx|mts|mjs)$/;

/** Reads every source file, or other files, that Git tracks or would track. Paths are relative to `root`. */
export function readSources(root: string, wanted = SOURCE): SourceFile[] {
  const { stdout } = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return stdout
    .split("\n")
    .filter((path) => wanted.test(path))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(root, path), "utf8") }];
      } catch {
        // Deleted, but the deletion isn't committed yet.
        return [];
      }
    });
}

/** Lists every import of a file. Throws for a file that doesn't parse. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const found: Import[] = [];
  const add = (
    kind: Import["kind"],
    source: { readonly value: unknown; readonly start: number } | null | undefined,
  ) => {
    if (typeof source?.value !== "string") return;
    const specifier = source.value;
    found.push({
      from: path,
      kind,
      line: text.slice(0, source.start).split("\n").length,
      specifier,
      file: specifier.startsWith(".") ? normalize(join(dirname(path), specifier)) : null,
    });
  };
  const literal = (node: { readonly type: string; readonly start: number }) =>
    node.type === "Literal" ? (node as unknown as { readonly value: unknown; readonly start: number }) : null;
  new Visitor({
    ImportDeclaration: (node) => add(node.importKind === "type" ? "type" : "static", node.source),
    ExportNamedDeclaration: (node) => add(node.exportKind === "type" ? "type" : "static", node.source),
    ExportAllDeclaration: (node) => add(node.exportKind === "type" ? "type" : "static", node.source),
    ImportExpression: (node) => add("dynamic", literal(node.source)),
    TSImportType: (node) => add("type", literal(node.source)),
  }).visit(program);
  return found;
}
