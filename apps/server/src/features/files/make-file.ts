import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { accept, refuse, type Verdict } from "@fairtick/domain";
import { makePicture } from "./make-picture.ts";
import { PICTURE_TYPE } from "./picture-rules.ts";
import { readDocument, safeFileName } from "./read-document.ts";

/** A file as it is about to be stored. */
export interface MadeFile {
  /** Where its unencrypted bytes are. */
  readonly path: string;
  readonly media: string;
  /** The name of a document; null for a picture. */
  readonly name: string | null;
  readonly bytes: number;
  /** Pixels of a picture; null for a document. */
  readonly width: number | null;
  readonly height: number | null;
  readonly digest: Buffer;
}

/** An upload as its sender described it. */
export interface Sent {
  readonly path: string;
  readonly name?: string | undefined;
}

const PICTURE_NAME = /\.(?:avif|bmp|gif|heic|heif|jfif|jpe|jpe?g|png|svg|tiff?|webp)\s*$/i;

/**
 * Re-encodes a picture into `clear`. If documents are accepted too, leaves a document as it came. Refuses what `makePicture`
 * and `readDocument` refuse, and FILE_BROKEN for a document with a picture's file name.
 */
export async function makeFile(sent: Sent, clear: string, takesDocuments: boolean): Promise<Verdict<MadeFile>> {
  const picture = await makePicture(sent.path, clear);
  if (picture.ok) return accept({ ...picture.value, ...(await factsOf(clear)), media: PICTURE_TYPE, name: null });
  if (!takesDocuments || picture.refusal.error !== "FILE_TYPE") return picture;
  // Its name says that it is a picture, so it counts as a picture that can't be read, and not as a document.
  if (PICTURE_NAME.test(sent.name ?? "")) return refuse("FILE_BROKEN");
  const document = await readDocument(sent.path);
  if (!document.ok) return document;
  const media = document.value;
  return accept({
    ...(await factsOf(sent.path)),
    media,
    name: safeFileName(sent.name, media),
    width: null,
    height: null,
  });
}

async function factsOf(path: string): Promise<Pick<MadeFile, "path" | "bytes" | "digest">> {
  const { size } = await stat(path);
  const hash = createHash("sha256");
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) hash.update(part);
  return { path, bytes: size, digest: hash.digest() };
}
