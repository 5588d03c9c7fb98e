import { expect, it } from "vitest";
import { parseTree, TreeNode } from "./node-tree.ts";

it("parses words with spaces, brackets and quotes", () => {
  const tree = parseTree(
    String.raw`{A :name a\ \(b\)\" :text "two words" :list (1 (b 2) {B :none <>}) :bytes 2 [ 1 0 ]}`,
  );
  expect(tree).toBeInstanceOf(TreeNode);
  const node = tree as TreeNode;
  expect([node.word("name"), node.word("text"), node.list("list").length, node.list("bytes").length]).toEqual([
    'a (b)"',
    "two words",
    3,
    5,
  ]);
  expect(() => parseTree("{A :list (1")).toThrow("ended too early");
});
