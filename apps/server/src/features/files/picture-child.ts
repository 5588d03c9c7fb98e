/** Re-encodes one picture as a child process: `picture-child.ts <from> <to>`. Prints one line of JSON. */
import sharp from "sharp";
import { PICTURE_FORMATS, PICTURE_PIXELS_MAX, PICTURE_SIDE_MAX } from "./picture-rules.ts";

const [, , from, to] = process.argv;
if (from === undefined || to === undefined) throw new Error("from and to are missing");

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegFile",
    "VipsForeignLoadPngFile",
    "VipsForeignLoadWebpFile",
    "VipsForeignLoadNsgifFile",
    "VipsForeignLoadHeifFile",
  ],
});

const options = { limitInputPixels: PICTURE_PIXELS_MAX, failOn: "error", sequentialRead: true, pages: 1 } as const;
try {
  const { format } = await sharp(from, options).metadata();
  if (!PICTURE_FORMATS.includes(format)) {
    process.stdout.write(JSON.stringify({ refused: "FILE_TYPE" }));
  } else {
    // Metadata isn't copied: no location, camera, comments or profiles.
    const { width, height } = await sharp(from, options)
      .autoOrient()
      .resize({ width: PICTURE_SIDE_MAX, height: PICTURE_SIDE_MAX, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .jpeg({ quality: 85 })
      .timeout({ seconds: 20 })
      .toFile(to);
    process.stdout.write(JSON.stringify({ width, height }));
  }
} catch {
  process.stdout.write(JSON.stringify({ refused: "FILE_BROKEN" }));
}
