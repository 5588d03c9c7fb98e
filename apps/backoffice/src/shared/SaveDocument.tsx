import { fileView } from "@fairtick/protocol/operator";
import { Button, Notice } from "@fairtick/ui";
import { useState } from "react";
import { saveFile } from "../data/call.ts";

/** A member's document under its name; each saving is a row of the audit trail. */
export function SaveDocument({ fileId, name }: { readonly fileId: string; readonly name: string }) {
  const [wrong, setWrong] = useState<string | null>(null);
  async function save() {
    try {
      await saveFile(fileView, { fileId }, name);
      setWrong(null);
    } catch (failure) {
      setWrong(failure instanceof Error ? failure.message : String(failure));
    }
  }
  return (
    <>
      <Button lowkey onClick={() => void save()}>
        Save <bdi>{name}</bdi>
      </Button>
      <p className="note soft">Open it where it can do no harm: a scan doesn’t find every virus.</p>
      {wrong !== null && <Notice wrong>{wrong}</Notice>}
    </>
  );
}
