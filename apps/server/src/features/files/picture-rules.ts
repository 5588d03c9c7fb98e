/** What sharp calls the kinds of pictures that are taken; told by their content, never by a name. */
export const PICTURE_FORMATS: readonly string[] = ["jpeg", "png", "webp", "gif", "heif"];
/** What a telephone makes, and no more: a small file can hold a picture of gigabytes. */
export const PICTURE_PIXELS_MAX = 64_000_000;
/** Longer sides are scaled down: a document is still read at it. */
export const PICTURE_SIDE_MAX = 3_000;
/** After it was made anew, every picture is of this type. */
export const PICTURE_TYPE = "image/jpeg";
