/**
 * Which app this source is: the server says it in `app/config`, the app knows it of itself. Whoever finds the server's
 * code higher than their own is asked to update.
 */
export const APP_VERSION = { version: "1.0", versionCode: 10 } as const;
