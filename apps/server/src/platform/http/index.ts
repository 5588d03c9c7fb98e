export { createDeviceKeys } from "./device-keys.ts";
export { createHttpServer, type HttpServerOptions, UPLOAD_BYTES_MAX } from "./http-server.ts";
export { RATE_LIMITS } from "./rate-limits.ts";
export { FileAnswer, route, type CallRequest, type Handler, type Route } from "./route.ts";
export { TOKEN_LENGTH_MAX, type Authenticate, type SeenFrom, type Session } from "./session.ts";
export { type ReceivedFile } from "./receive-upload.ts";
export { readServedFiles } from "./static-files.ts";
