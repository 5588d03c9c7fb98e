import { spawn } from "node:child_process";
import { open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { accept, refuse, type Verdict } from "@fairtick/domain";

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const CHILD = resolve(import.meta.dirname, "picture-child.ts");
const MS_MAX = 30_000;
const AT_ONCE = 2;
/** Larger than a phone's camera makes. Such a picture is decoded alone, since it needs much memory. */
const LARGE_BYTES = 16 * 1024 * 1024;

/**
 * Re-encodes a picture from its pixels alone. Decoding runs in a child process without secrets or connections, so that a
 * hostile picture that takes all memory, hangs or crashes the decoder harms nothing else. Two pictures are decoded at once, a
 * large one alone; others wait. Refuses FILE_TYPE if the content isn't a picture, FILE_BROKEN if its pixels can't be read.
 */
export async function makePicture(from: string, to: string): Promise<Verdict<PictureSize>> {
  if (!(await looksLikePicture(from))) return refuse("FILE_TYPE");
  const { size } = await stat(from);
  const leave = await enter(size > LARGE_BYTES ? AT_ONCE : 1);
  try {
    return readAnswer(await runChild([CHILD, from, to]));
  } finally {
    leave();
  }
}

/** Checks a file's first bytes, so that text, archives and everything else that isn't a picture never reach a decoder. */
async function looksLikePicture(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    const head = buffer.subarray(0, bytesRead).toString("latin1");
    return (
      head.startsWith("\xff\xd8\xff") ||
      head.startsWith("\x89PNG\r\n\x1a\n") ||
      head.startsWith("GIF8") ||
      (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") ||
      /^(?:avif|avis|mif1|heic)/.test(head.slice(4, 8) === "ftyp" ? head.slice(8, 12) : "")
    );
  } finally {
    await file.close();
  }
}

function runChild(args: readonly string[]): Promise<string> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<string>();
  const child = spawn(process.execPath, ["--max-old-space-size=128", ...args], {
    env: { NODE_ENV: "production", MALLOC_ARENA_MAX: "2" },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: MS_MAX,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    said = (said + part).slice(0, 1_000);
  });
  child.on("error", reject);
  child.on("close", () => settle(said));
  return promise;
}

/** Reads the child's answer. A child that its picture killed says nothing, which means that the picture is broken. */
function readAnswer(said: string): Verdict<PictureSize> {
  if (said === "") return refuse("FILE_BROKEN");
  const answer = JSON.parse(said) as { refused: "FILE_TYPE" | "FILE_BROKEN" } | PictureSize;
  return "refused" in answer ? refuse(answer.refused) : accept(answer);
}

let free = AT_ONCE;
const waiting: { readonly places: number; readonly goOn: () => void }[] = [];

/** Waits for decoding places, first come, first served: a large picture waits for all places and isn't overtaken. */
async function enter(places: number): Promise<() => void> {
  if (waiting.length > 0 || free < places) {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    waiting.push({ places, goOn });
    await promise;
  } else free -= places;
  return () => {
    free += places;
    for (let next = waiting[0]; next !== undefined && free >= next.places; next = waiting[0]) {
      free -= next.places;
      waiting.shift();
      next.goOn();
    }
  };
}
