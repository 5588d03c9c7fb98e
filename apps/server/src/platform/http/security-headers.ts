import { createHash } from "node:crypto";

/** Browser features that our pages don't use. Neither the pages nor injected code may ask for them. */
const PERMISSIONS = [
  "accelerometer",
  "camera",
  "display-capture",
  "encrypted-media",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "usb",
  "xr-spatial-tracking",
]
  .map((feature) => `${feature}=()`)
  .join(", ");

/** Returns the headers of every answer. A `live` deployment additionally requires TLS. */
export function commonHeaders(deployment: "sandbox" | "live"): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": PERMISSIONS,
    ...(deployment === "live" && { "strict-transport-security": "max-age=63072000; includeSubDomains" }),
  };
}

/**
 * Returns a page's content security policy. Inline scripts are allowed only by their hash, other origins only for calls
 * (`connect`: the boards of witnesses), and Trusted Types are required. Style attributes are allowed, because the countdown ring
 * and the chart need them.
 */
export function pagePolicy(html: string, connect: readonly string[] = []): string {
  const scripts = hashesOf(html, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi);
  const styles = hashesOf(html, /<style[^>]*>([\s\S]*?)<\/style>/gi);
  return [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    `style-src 'self'${styles}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(" "),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types fairtick",
  ].join("; ");
}

function hashesOf(html: string, pattern: RegExp): string {
  return [...html.matchAll(pattern)]
    .map(([, content = ""]) => ` 'sha256-${createHash("sha256").update(content).digest("base64")}'`)
    .join("");
}
