import { createHash } from "node:crypto";

/** What no page of ours uses: neither it nor anything that found its way into it may ask for it. */
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

/** Headers of every answer. A deployment in `live` is reached by TLS alone. */
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
 * The page's policy: nothing inline but what stands in this very page, by hash; no foreign origin but those it may call
 * (`connect`: the boards of witnesses); Trusted Types. Style attributes are allowed, since a countdown ring and a chart are drawn
 * by them.
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
