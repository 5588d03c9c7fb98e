/**
 * The version of this source. The server reports it in `app/config`, and the app has it built in. If the server's code is higher than
 * the app's, the member is asked to update.
 */
export const APP_VERSION = { version: "1.0", versionCode: 10 } as const;
