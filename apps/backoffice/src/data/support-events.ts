import { supportChat, supportInbox } from "@fairtick/protocol/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

interface Event_ {
  readonly memberId: string;
  readonly from: "member" | "operator";
  readonly what: "message" | "read" | "typing" | "thread";
}

const TYPING_MS = 12_000;

/** Keeps inbox and chats up to date while the screen is open. Returns the ids of the members who are typing. */
export function useSupportEvents(): ReadonlySet<string> {
  const queries = useQueryClient();
  const [writing, setWriting] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const source = new EventSource("/operator/support/events");
    const change = (memberId: string, isWriting: boolean) =>
      setWriting((before) => {
        const after = new Set(before);
        if (isWriting) after.add(memberId);
        else after.delete(memberId);
        return after;
      });
    const read = () => {
      void queries.invalidateQueries({ queryKey: [supportInbox.path] });
      void queries.invalidateQueries({ queryKey: [supportChat.path] });
    };
    // Events may have been missed while the connection was down.
    source.addEventListener("open", read);
    source.addEventListener("message", ({ data }: MessageEvent<string>) => {
      const { memberId, from, what } = JSON.parse(data) as Event_;
      if (what === "typing" && from === "operator") return;
      clearTimeout(timers.get(memberId));
      change(memberId, what === "typing");
      if (what === "typing")
        timers.set(
          memberId,
          setTimeout(() => change(memberId, false), TYPING_MS),
        );
      else read();
    });
    return () => {
      source.close();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [queries]);
  return writing;
}
