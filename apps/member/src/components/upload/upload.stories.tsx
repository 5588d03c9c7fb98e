import type { Stories } from "@fairtick/ui/story.ts";
import { keys } from "../../data/queries.ts";
import { WithAnswers } from "../story-data.tsx";
import { PictureOf, StoredPicture } from "./PictureOf.tsx";
import { UploadField } from "./UploadField.tsx";

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#5a58dc"/></svg>`;
const picture = new Blob([DRAWING], { type: "image/svg+xml" });

export const stories = {
  PictureOf: { "bytes of one's own": () => <PictureOf content={picture} alt="A receipt" className="upload-preview" /> },
  StoredPicture: {
    shown: () => (
      <WithAnswers answers={[[[...keys.member, "file", "fil_1"], picture]]}>
        <StoredPicture fileId="fil_1" alt="A receipt" />
      </WithAnswers>
    ),
  },
  UploadField: {
    empty: () => <UploadField label="Receipt" purpose="receipt" onFile={() => undefined} />,
    wrong: () => (
      <UploadField label="Receipt" purpose="receipt" onFile={() => undefined} wrong="Upload the receipt first" />
    ),
  },
} satisfies Stories;
