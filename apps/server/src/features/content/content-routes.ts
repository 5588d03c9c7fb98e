import { refuse } from "@fairtick/domain";
import { contentAgreement, contentPrivacy, helpDetail, helpList } from "@fairtick/protocol";
import { type Route, route } from "../../platform/http/index.ts";
import { HELP_IDS, readTexts, type WrittenText } from "./texts.ts";

/** Routes for the written texts in the caller's language. An unknown article is refused with NOT_FOUND. */
export function contentRoutes(): Route[] {
  const texts = readTexts();
  return [
    route(contentAgreement, ({ lang }) => present(texts(lang, "agreement"))),
    route(contentPrivacy, ({ lang }) => present(texts(lang, "privacy"))),
    route(helpList, ({ lang }) =>
      HELP_IDS.map((helpId) => {
        const { topic, title, body } = texts(lang, `help/${helpId}`);
        return { helpId, topic, title, words: plainWords(body) };
      }),
    ),
    route(helpDetail, ({ input, lang }) => {
      const helpId = HELP_IDS.find((id) => id === input.helpId);
      return helpId === undefined ? refuse("NOT_FOUND") : present(texts(lang, `help/${helpId}`));
    }),
  ];
}

function present({ title, version, date, body }: WrittenText) {
  return { title, version, date, body };
}

/** Returns the text that a search looks through, without the marks of headings, list items and strong words. */
function plainWords(body: string): string {
  return body.replaceAll(/^(?:## |- )|\*\*/gm, "").replaceAll(/\s+/g, " ");
}
