import type { Instant } from "@fairtick/domain";
import { Zip, ZipDeflate } from "fflate";

/** One file of an archive, with its text in pieces. */
export interface TextFile {
  readonly name: string;
  readonly text: AsyncIterable<string>;
}

/** Yields a zip archive in pieces, each as soon as it is packed, so that memory doesn't limit its size. */
export async function* zipOf(files: Iterable<TextFile>, at: Instant): AsyncGenerator<Uint8Array> {
  let packed: Uint8Array[] = [];
  const faults: Error[] = [];
  const zip = new Zip((fault, bytes) => {
    if (fault === null) packed.push(bytes);
    else faults.push(fault);
  });
  const take = () => {
    const [fault] = faults;
    if (fault) throw fault;
    const ready = packed;
    packed = [];
    return ready;
  };
  const encoder = new TextEncoder();
  for (const { name, text } of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = Number(at);
    zip.add(entry);
    for await (const part of text) {
      if (part !== "") entry.push(encoder.encode(part));
      yield* take();
    }
    entry.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
}
