/** A bucket for members' files, instead of a folder. */
export interface S3Settings {
  /** Address of the bucket: `https://s3.eu-central-1.amazonaws.com/bucket`, or the bucket's own host. */
  readonly url: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

interface Given {
  readonly S3_URL?: string | undefined;
  readonly S3_REGION: string;
  readonly S3_ACCESS_KEY?: string | undefined;
  readonly S3_SECRET_KEY?: string | undefined;
}

/** Returns the bucket's settings; null if no bucket is named, a sentence if other settings are missing. */
export function s3Of({ S3_URL, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY }: Given): S3Settings | null | string {
  if (S3_URL === undefined) return null;
  if (S3_ACCESS_KEY === undefined || S3_SECRET_KEY === undefined) {
    return "S3_URL names a bucket: S3_ACCESS_KEY and S3_SECRET_KEY are to be the key that may use it.";
  }
  return { url: S3_URL.replace(/\/$/, ""), region: S3_REGION, accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY };
}
