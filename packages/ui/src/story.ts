import type { ReactNode } from "react";

/**
 * The `stories` export of a `*.stories.tsx` file: each component of the file beside it by name, and for each of its
 * states a function that draws it. `npm run dev` shows them at /gallery, and a journey photographs them.
 */
export type Stories = Readonly<Record<string, Readonly<Record<string, () => ReactNode>>>>;
