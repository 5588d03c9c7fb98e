import type { Stories } from "@fairtick/ui/story.ts";
import { useQuery } from "@tanstack/react-query";
import type { WrittenText } from "../../data/content.ts";
import { WithAnswers } from "../story-data.tsx";
import { WrittenPage } from "./WrittenPage.tsx";

const KEY = ["story", "text"];
const TEXT = { title: "Terms", body: "## Terms\n\nPlain words.", version: 3, date: "2026-11-24" };

/** A written text. `broken` fails at once; otherwise it has its answer, or waits forever. */
function Text({ broken = false }: { readonly broken?: boolean }) {
  const query = useQuery<WrittenText>({
    queryKey: KEY,
    queryFn: () => (broken ? Promise.reject(new Error("We couldn't load this text.")) : new Promise(() => undefined)),
  });
  return <WrittenPage query={query} />;
}

export const stories = {
  WrittenPage: {
    shown: () => (
      <WithAnswers answers={[[KEY, TEXT]]}>
        <Text />
      </WithAnswers>
    ),
    waiting: () => (
      <WithAnswers answers={[]}>
        <Text />
      </WithAnswers>
    ),
    failed: () => (
      <WithAnswers answers={[]}>
        <Text broken />
      </WithAnswers>
    ),
  },
} satisfies Stories;
