import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Look } from "./plan.ts";

/** The folder of everything that a walk produces. */
export const WALK_FOLDER = resolve(import.meta.dirname, "../../../artifacts/walk");

export interface Shot extends Look {
  /** Whose screens they are: visitor, member or console. */
  readonly part: string;
  readonly screen: string;
  readonly language: string;
  /** Path inside the folder. */
  readonly file: string;
}

export interface Finding {
  readonly part: string;
  readonly screen: string;
  readonly language: string;
  /** The sizes at which it was found: "320 light 200 %". */
  readonly where: readonly string[];
  readonly says: string;
}

/** Collects what one part of a walk sees; written when the part ends, even if it fails. */
export class Notes {
  private readonly shots: Shot[] = [];
  private readonly found = new Map<string, Finding>();
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  take(shot: Shot): void {
    this.shots.push(shot);
  }

  /** Adds a finding. The same one at several sizes is listed once. */
  find(finding: Omit<Finding, "where">, where: string): void {
    const key = `${finding.part} ${finding.screen} ${finding.says}`;
    const before = this.found.get(key);
    this.found.set(key, { ...finding, where: [...(before?.where ?? []), where] });
  }

  get findings(): readonly Finding[] {
    return [...this.found.values()];
  }

  async write(): Promise<void> {
    const folder = join(WALK_FOLDER, "notes");
    await mkdir(folder, { recursive: true });
    const text = JSON.stringify({ shots: this.shots, findings: this.findings });
    await writeFile(join(folder, `${this.name}.json`), text);
  }
}
