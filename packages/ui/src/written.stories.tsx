import type { Stories } from "./story.ts";
import { Written } from "./written.tsx";

const BODY = `## How an order settles

The price at **expiry** decides. If it equals the entry price, you get your stake back.

- Higher: the price rose
- Lower: the price fell

<b>Markup stays text.</b>`;

export const stories = { Written: { "heading, paragraphs, list": () => <Written body={BODY} /> } } satisfies Stories;
