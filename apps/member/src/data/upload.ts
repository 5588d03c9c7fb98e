import { readEnvelope } from "@fairtick/client";
import type { fileGet, fileUpload, Output } from "@fairtick/protocol";
import { showToast } from "@fairtick/ui";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { currentLanguage, text } from "../shared/i18n.ts";
import { readStored } from "../shared/storage.ts";
import type { Deployment } from "./deployment.ts";
import { reportFailure } from "./failures.ts";
import { keys, queryClient } from "./queries.ts";
import { askBytes, CallError, errorOf, tellUnauthorized } from "./transport.ts";

export type UploadPurpose = "receipt" | "identity" | "support";

/** An upload without progress for this long has failed. */
const IDLE_MS_MAX = 60_000;
/** 100 MB, used until the server has sent its own limit. */
const BYTES_MAX = 104_857_600;

interface Sending {
  readonly done: Promise<string>;
  cancel(): void;
}

/**
 * Sends one picture. `onProgress` gets the part sent so far, 0 to 1. Rejects with a `CallError` whose message can be
 * shown.
 */
function sendFile(purpose: UploadPurpose, file: File, onProgress: (part: number) => void): Sending {
  const request = new XMLHttpRequest();
  const token = readStored("exchange2508Token");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let timer = setTimeout(giveUp, IDLE_MS_MAX);
  function giveUp() {
    reject(new CallError("timeout", text("common.timedOutAction")));
    request.abort();
  }
  function goOn() {
    clearTimeout(timer);
    timer = setTimeout(giveUp, IDLE_MS_MAX);
  }
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    goOn();
    onProgress(total > 0 ? loaded / total : 0);
  });
  request.addEventListener("load", () => {
    const result = readEnvelope<Output<typeof fileUpload>>(request.responseText);
    if (result.ok) return resolve(result.value.fileId);
    if (result.failure.kind === "unauthorized") tellUnauthorized(token);
    reject(errorOf(result.failure));
  });
  request.addEventListener("error", () => reject(new CallError("network", text("common.networkError"))));
  request.addEventListener("loadend", () => clearTimeout(timer));
  request.open("POST", "/client/file/upload");
  request.setRequestHeader("Lang", currentLanguage().lang);
  request.setRequestHeader("exchange2508Token", token ?? "");
  const form = new FormData();
  form.set("purpose", purpose);
  if (purpose === "support" && file.name !== "") form.set("name", Array.from(file.name).slice(-100).join(""));
  form.set("file", file);
  request.send(form);
  return {
    done: promise,
    cancel: () => {
      request.abort();
    },
  };
}

export type UploadState =
  | { readonly step: "empty" }
  | { readonly step: "sending"; readonly file: File; readonly part: number }
  | { readonly step: "done"; readonly file: File; readonly fileId: string }
  | { readonly step: "failed"; readonly file: File; readonly message: string };

export interface Upload {
  readonly state: UploadState;
  /** Sends a file, replacing the one sent before. */
  readonly start: (file: File) => void;
  /** Sends the same file again. */
  readonly retry: () => void;
  /** Stops sending, or discards the sent file. */
  readonly clear: () => void;
}

/** An upload that is independent of the screen that shows it. */
export interface KeptUpload extends Omit<Upload, "state"> {
  readonly read: () => UploadState;
  readonly watch: (watcher: () => void) => () => void;
  /** Stops sending, until `goOn` sends the file again. */
  readonly pause: () => void;
  readonly goOn: () => void;
}

/** Gets the file's id once it is uploaded, null if it isn't or no longer, and whether an upload is in progress. */
export type OnFile = (fileId: string | null, isOnItsWay: boolean) => void;

export function keepUpload(purpose: UploadPurpose, onFile?: OnFile): KeptUpload {
  let state: UploadState = { step: "empty" };
  let sending: Sending | null = null;
  const watchers = new Set<() => void>();

  function change(to: UploadState) {
    const isNews = to.step !== "sending" || state.step !== "sending";
    state = to;
    if (isNews) onFile?.(to.step === "done" ? to.fileId : null, to.step === "sending");
    for (const watcher of watchers) watcher();
  }

  function pause() {
    sending?.cancel();
    sending = null;
  }

  function start(file: File) {
    pause();
    const bytesMax = queryClient.getQueryData<Deployment>(keys.deployment)?.uploadLimitBytes ?? BYTES_MAX;
    if (file.size > bytesMax) {
      const message = text("errors.FILE_TOO_LARGE", { max: megabytes(bytesMax) });
      showToast(message);
      return change({ step: "failed", file, message });
    }
    change({ step: "sending", file, part: 0 });
    const mine = sendFile(purpose, file, (part) => {
      if (sending === mine) change({ step: "sending", file, part });
    });
    sending = mine;
    mine.done.then(
      (fileId) => {
        if (sending !== mine) return;
        change({ step: "done", file, fileId });
      },
      (error: unknown) => {
        if (sending !== mine) return;
        reportFailure(error);
        change({ step: "failed", file, message: error instanceof CallError ? error.message : text("upload.failed") });
      },
    );
  }

  return {
    read: () => state,
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    start,
    retry: () => {
      if (state.step === "failed") start(state.file);
    },
    clear: () => {
      pause();
      change({ step: "empty" });
    },
    pause,
    goOn: () => {
      if (state.step === "sending" && sending === null) start(state.file);
    },
  };
}

/** The state of an upload that outlives the screen. */
export function useKeptUpload(kept: KeptUpload): Upload {
  const state = useSyncExternalStore(kept.watch, kept.read);
  return { state, start: kept.start, retry: kept.retry, clear: kept.clear };
}

/**
 * Uploads one picture for the component that shows it. If the component is hidden for a while, the file is sent again
 * afterwards.
 */
export function useUpload(purpose: UploadPurpose, onFile: OnFile): Upload {
  const [kept] = useState(() => keepUpload(purpose, onFile));
  useEffect(() => {
    kept.goOn();
    return kept.pause;
  }, [kept]);
  return useKeptUpload(kept);
}

/** Formats bytes as `100MB`, like the specification. */
export function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)}MB`;
}

/** One of the member's own stored pictures. */
export function useStoredFile(fileId: string): UseQueryResult<Blob> {
  return useQuery({
    queryKey: [...keys.member, "file", fileId],
    queryFn: () => askBytes<typeof fileGet>("file/get", { fileId }),
    staleTime: Infinity,
  });
}
