import { join } from "node:path";
import { expect, it } from "vitest";
import { readSources } from "../walls/import-graph.ts";
import { componentsWithoutStory } from "./check-stories.ts";

const sources = readSources(join(import.meta.dirname, "../.."));
const PATH = "packages/ui/src/badge.tsx";
const plant = (text: string, stories = "") =>
  componentsWithoutStory([
    { path: PATH, text },
    { path: "packages/ui/src/badge.stories.tsx", text: stories },
  ]);

it("finds a story for every component of the project", () => {
  expect(componentsWithoutStory(sources)).toEqual([]);
});

it("refuses a component that no story shows, and says where one belongs", () => {
  expect(
    componentsWithoutStory([...sources, { path: PATH, text: "export function Badge() { return <b />; }" }]),
  ).toEqual([
    `${PATH} exports Badge, which no story shows. Add Badge to the stories in packages/ui/src/badge.stories.tsx (CONTRIBUTING.md).`,
  ]);
  expect(plant("export const Badge = () => <b />;")).toHaveLength(1);
  expect(plant("export function Badge() {}", "export const stories = { Badge: {} } satisfies Stories;")).toHaveLength(
    1,
  );
  expect(plant("export function Badge() {}", "export const stories = { Badge: { usual: () => 1 } };")).toEqual([]);
});

it("doesn't accept a story from the other folder", () => {
  const stories = {
    path: "packages/ui/src/a.stories.tsx",
    text: "export const stories = { Badge: { usual: () => 1 } };",
  };
  const path = "apps/member/src/components/Badge.tsx";
  expect(componentsWithoutStory([{ path, text: "export function Badge() {}" }, stories])).toHaveLength(1);
});

it("needs no story for other exports than components", () => {
  expect(
    plant("export function useBadge() {}\nexport const BADGES_MAX = 3;\nexport const Frame = createContext(null);"),
  ).toEqual([]);
});
