import type { Instant } from "@fairtick/domain";
import { LANGUAGE_CODES, type LanguageCode } from "@fairtick/i18n";
import { findForbidden, readTermbase } from "@fairtick/i18n/termbase";
import { contentAgreement, contentPrivacy, helpDetail, helpList } from "@fairtick/protocol";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "valibot";
import type { Route } from "../../platform/http/index.ts";
import { agreementVersion, contentRoutes } from "./index.ts";
import { HELP_IDS, readText, readTexts, TEXT_NAMES, type WrittenText } from "./texts.ts";

const routes = contentRoutes();
function answerOf(call: Route["call"], lang: LanguageCode, input: Record<string, unknown> = {}): unknown {
  const known = routes.find((route) => route.call === call);
  const nobody = {
    session: null,
    ip: "",
    device: "",
    deviceKey: null,
    keepDeviceKey: () => undefined,
    noteNewDevice: () => undefined,
    file: null,
  };
  return known?.handler({ ...nobody, input, lang, now: 0n as Instant });
}

/** Returns the kind of each line in order, such as `h2 p li li p`, with the number of strong words in it. */
function structureOf({ body }: WrittenText): string[] {
  return body
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const plain = line.startsWith("- ") ? "item" : "paragraph";
      const kind = line.startsWith("## ") ? "heading" : plain;
      return `${kind}${" strong".repeat((line.match(/\*\*/g) ?? []).length / 2)}`;
    });
}

/** Marks that the app would show literally, placeholders, and paragraphs broken into two lines. */
const STRAY = /[{}<>_`]|TODO|XXX|\]\(|^#(?!# )|^\* |\S\n\S[^\n]*\n(?=\S)(?!- |## )/m;

const OTHERS = LANGUAGE_CODES.filter((code) => code !== "en");
const EVERY = OTHERS.flatMap((code) => TEXT_NAMES.map((name) => [code, name] as const));

describe("the written texts", () => {
  it.each(EVERY)("of %s: %s says the same as the English one, part by part", (code, name) => {
    const english = readText("en", name);
    const other = readText(code, name);
    if (english === null || other === null) throw new Error(`${code}/${name}.md is missing`);
    expect(structureOf(other)).toEqual(structureOf(english));
    expect(other).toMatchObject({ version: english.version, date: english.date });
    expect(other.body).not.toBe(english.body);
    expect(other.title).not.toBe("");
  });

  it.each(LANGUAGE_CODES)("of %s contain no marks that the app doesn't show, and no placeholders", (code) => {
    const wrong = TEXT_NAMES.flatMap((name) => {
      const { body, title, topic, date } = readText(code, name) as WrittenText;
      const all = `${title} ${topic} ${body}`;
      const found = STRAY.exec(all) ?? (date.match(/^\d{4}-\d{2}-\d{2}$/) ? null : [date]);
      const open = (body.match(/\*\*/g) ?? []).length % 2 === 1 ? ["**"] : null;
      return [found, open].flatMap((problem) => (problem === null ? [] : [`${name}: ${problem[0]}`]));
    });
    expect(wrong).toEqual([]);
  });

  it.each(LANGUAGE_CODES)(
    "of %s have as many topics as the English ones, with the articles of each together",
    (code) => {
      const topicsOf = (lang: LanguageCode) => HELP_IDS.map((id) => readText(lang, `help/${id}`)?.topic);
      const places = (topics: (string | undefined)[]) => topics.map((topic) => topics.indexOf(topic));
      expect(places(topicsOf(code))).toEqual(places(topicsOf("en")));
    },
  );

  // The agreement and the privacy page have a lawyer's words, and change only with their version.
  it.each(LANGUAGE_CODES)("of help in %s use the app's words", (code) => {
    const texts = HELP_IDS.map((id): [string, string] => {
      const { title, topic, body } = readText(code, `help/${id}`) as WrittenText;
      return [`help/${id}`, [title, topic, body].join("\n")];
    });
    expect(findForbidden(code, Object.fromEntries(texts), readTermbase(code))).toEqual([]);
  });

  it("have no unused files", () => {
    for (const code of LANGUAGE_CODES) {
      const files = readdirSync(join(import.meta.dirname, "texts", code), { recursive: true, encoding: "utf8" });
      const names = files.filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -".md".length));
      expect(names.toSorted()).toEqual([...TEXT_NAMES].toSorted());
    }
  });
});

describe("the files", () => {
  const folder = mkdtempSync(join(tmpdir(), "fairtick-texts-"));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  function write(code: string, name: string, content: string) {
    mkdirSync(join(folder, code, "help"), { recursive: true });
    writeFileSync(join(folder, code, `${name}.md`), content);
  }

  it("must all exist in English, which replaces those missing in another language", () => {
    expect(() => readTexts(folder)).toThrow("agreement.md is missing");
    for (const name of TEXT_NAMES)
      write("en", name, `---\ntitle: ${name}\ntopic: t\nversion: 2.1\ndate: 2030-01-02\n---\nWords`);
    write("de", "privacy", "---\ntitle: Daten\nversion: 2.1\ndate: 2030-01-02\n---\nWorte\n");
    const texts = readTexts(folder);
    expect(texts("de", "privacy")).toEqual({
      title: "Daten",
      version: "2.1",
      date: "2030-01-02",
      topic: "",
      body: "Worte",
    });
    expect(texts("de", "agreement").title).toBe("agreement");
  });

  it.each([
    ["Words", "expected front matter"],
    ["---\ntitle: A\ndate: 2030-01-02\n---\nWords", "version is missing"],
    ["---\ntitle:\nversion: 1\ndate: 2030-01-02\n---\nWords", "title is missing"],
  ])("say what they lack: %j", (content, problem) => {
    write("fr", "agreement", content);
    expect(() => readText("fr", "agreement", folder)).toThrow(problem);
  });
});

describe("the calls", () => {
  it.each([
    ["en", "User agreement", "Privacy policy"],
    ["de", "Nutzungsvereinbarung", "Datenschutzerklärung"],
  ] as const)("answer the legal texts in %s", (lang, agreement, privacy) => {
    expect(parse(contentAgreement.output, answerOf(contentAgreement, lang))).toMatchObject({
      title: agreement,
      version: agreementVersion(),
    });
    expect(parse(contentPrivacy.output, answerOf(contentPrivacy, lang))).toMatchObject({ title: privacy });
  });

  it("list every article with words to search in, and return each", () => {
    const list = parse(helpList.output, answerOf(helpList, "en"));
    expect(list.map(({ helpId }) => helpId)).toEqual(HELP_IDS);
    for (const { helpId, title, words } of list) {
      expect(words).not.toMatch(/\*\*|##|\n|^- /);
      expect(parse(helpDetail.output, answerOf(helpDetail, "en", { helpId }))).toMatchObject({ title });
    }
  });

  it.each(["nothing", "__proto__", "../agreement"])("refuse the unknown article %s", (helpId) => {
    expect(answerOf(helpDetail, "en", { helpId })).toMatchObject({ ok: false, refusal: { error: "NOT_FOUND" } });
  });
});

/** What the specification demands of both texts, with words of the English text that fulfil it. */
const DEMANDED: readonly (readonly [statement: string, name: "agreement" | "privacy", words: RegExp])[] = [
  ["users are 18 or of legal age", "agreement", /at least 18 years old and of legal age/],
  [
    "users answer for their account and trades",
    "agreement",
    /You are responsible for your account and for every order/,
  ],
  ["digital assets carry a high risk", "agreement", /Trading digital assets.* carries a high risk/],
  ["terms change without individual notice", "agreement", /change this agreement.* without writing to each member/],
  ["services end without individual notice", "agreement", /end the service.* without writing to each member/],
  ["a registration may be refused", "agreement", /We may refuse a registration/],
  ["an account used by another is suspended", "agreement", /suspend an account that is used by someone other than/],
  ["registration collects identity information", "privacy", /Identity information:.* phone number or e-mail address/],
  ["registration collects service information", "privacy", /Service information:.* your language/],
  ["device information is collected automatically", "privacy", /Device information at each login:/],
  ["transactions stand under order management", "privacy", /view all of your orders under order management/],
  ["consent can be withdrawn", "privacy", /You can withdraw consent at any time/],
];

describe("what the specification demands of agreement and policy", () => {
  it.each(DEMANDED)("%s, by the %s", (_, name, words) => {
    const call = name === "agreement" ? contentAgreement : contentPrivacy;
    const { body } = parse(call.output, answerOf(call, "en"));
    expect(body.replaceAll("**", "")).toMatch(words);
  });
});
