import type { ReactNode } from "react";

/**
 * What a `*.stories.tsx` exports as `stories`: each component of the file beside it by its name, and for each of its
 * states, in words, what draws it. `npm run dev` shows them at /gallery, and a journey photographs them.
 */
export type Stories = Readonly<Record<string, Readonly<Record<string, () => ReactNode>>>>;
