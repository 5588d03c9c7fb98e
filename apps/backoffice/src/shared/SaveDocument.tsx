import { fileView } from "@fairtick/protocol/operator";
import { Button, Notice } from "@fairtick/ui";
import { useState } from "react";
import { saveFile } from "../data/call.ts";

/** Saves a member's document under its name. Each download is recorded in the audit trail. */
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
      <p className="note soft">Open it on an isolated device. The virus scan doesn’t catch everything.</p>
      {wrong !== null && <Notice wrong>{wrong}</Notice>}
    </>
  );
}
