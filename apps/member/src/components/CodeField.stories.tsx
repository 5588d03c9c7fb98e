import type { Stories } from "@fairtick/ui/story.ts";
import { CodeField } from "./CodeField.tsx";
import { useField } from "./story-data.tsx";

function Asked({ first, wrong }: { readonly first: string; readonly wrong?: string }) {
  const code = useField(first, wrong);
  const to = "demo@fairtick.example";
  return <CodeField purpose="register" channel="email" to={to} recipient={() => to} {...code} />;
}

export const stories = {
  CodeField: {
    empty: () => <Asked first="" />,
    wrong: () => <Asked first="123456" wrong="Wrong code" />,
  },
} satisfies Stories;
