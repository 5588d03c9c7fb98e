import { join } from "node:path";
import { expect, it } from "vitest";
import { unloadedStyles } from "./check-styles.ts";
import { classesIn, classesOf } from "./class-names.ts";
import { findUnloadedStyles } from "./loaded-styles.ts";

const MAIN = "apps/member/src/main.tsx";
const app = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, text]) => ({ path: `apps/member/src/${name}`, text }));
const SCREENS = {
  "main.tsx": `import("./Home.tsx"); import("./List.tsx");`,
  "list.css": ".end { color: red; }",
  "End.tsx": `export const End = () => <p className="end" />;`,
};

it("finds the styles of every class of the app", () => {
  expect(unloadedStyles(join(import.meta.dirname, "../.."))).toEqual([]);
});

it("refuses a component that relies on another screen's styles", () => {
  const home = `import { End } from "./End.tsx"; import "./list.css";`;
  const list = `import { End } from "./End.tsx";`;
  expect(findUnloadedStyles(app({ ...SCREENS, "Home.tsx": home, "List.tsx": list }), MAIN)).toEqual([
    "apps/member/src/End.tsx .end is styled in apps/member/src/list.css, which doesn't come with apps/member/src/List.tsx",
  ]);
  expect(findUnloadedStyles(app({ ...SCREENS, "Home.tsx": home, "List.tsx": home }), MAIN)).toEqual([]);
  const exceptions = { "apps/member/src/End.tsx .end": "a reason" };
  expect(findUnloadedStyles(app({ ...SCREENS, "Home.tsx": home, "List.tsx": list }), MAIN, exceptions)).toEqual([]);
});

it("counts what every part brings that loads another, and only that", () => {
  const loads = `import("./End.tsx");`;
  const styled = `${loads} import "./list.css";`;
  const found = (home: string, list: string) =>
    findUnloadedStyles(app({ ...SCREENS, "Home.tsx": home, "List.tsx": list }), MAIN).length;
  expect([found(styled, styled), found(styled, loads), found(styled, "")]).toEqual([0, 1, 0]);
});

it("follows types nowhere, and stylesheets into others", () => {
  const found = (home: string) =>
    findUnloadedStyles(app({ ...SCREENS, "all.css": `@import "./list.css";`, "Home.tsx": home, "List.tsx": "" }), MAIN);
  expect(found(`import { End } from "./End.tsx"; import "./all.css";`)).toEqual([]);
  expect(found(`import type { End } from "./End.tsx";`)).toEqual([]);
});

it("reads the classes of elements, and of rules outside of comments", () => {
  const text = 'const a = <b className={is ? `one ${two} t-${three} four` : is && "five six"} title="seven" />;';
  expect(classesOf({ path: "a.tsx", text })).toEqual(["one", "four", "five", "six"]);
  expect([...classesIn("/* .none */ .a.b-c > p:hover, .d { margin: 0.5em; }")]).toEqual(["a", "b-c", "d"]);
});
