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
/** Beyond what a phone's camera makes: such a one is decoded alone, for its memory's sake. */
const LARGE_BYTES = 16 * 1024 * 1024;

/**
 * Makes a picture anew from its pixels alone. What a stranger sent is decoded in a process of its own that holds no
 * secret and no connection: one that takes all memory, hangs or breaks the decoder ends alone. Two at once, a large one alone; others wait.
 * Refuses FILE_TYPE for whatever is no picture by its content, FILE_BROKEN where its pixels cannot be read.
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

/** First bytes of what is taken. Everything else, text and archives among them, never reaches a decoder. */
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

/** A child that died by its picture has said nothing: the picture is broken. */
function readAnswer(said: string): Verdict<PictureSize> {
  if (said === "") return refuse("FILE_BROKEN");
  const answer = JSON.parse(said) as { refused: "FILE_TYPE" | "FILE_BROKEN" } | PictureSize;
  return "refused" in answer ? refuse(answer.refused) : accept(answer);
}

let free = AT_ONCE;
const waiting: { readonly places: number; readonly goOn: () => void }[] = [];

/** In order: a large one waits for all places, and nobody overtakes it. */
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
