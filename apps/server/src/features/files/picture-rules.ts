/** Accepted picture formats, as sharp names them. A file's content decides, never its name. */
export const PICTURE_FORMATS: readonly string[] = ["jpeg", "png", "webp", "gif", "heif"];
/** The most pixels a phone's camera makes. A limit is needed because a small file can decode to gigabytes. */
export const PICTURE_PIXELS_MAX = 64_000_000;
/** Longer sides are scaled down to this many pixels, at which documents are still legible. */
export const PICTURE_SIDE_MAX = 3_000;
/** The media type of every re-encoded picture. */
export const PICTURE_TYPE = "image/jpeg";
