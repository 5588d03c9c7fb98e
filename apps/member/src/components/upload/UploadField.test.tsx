// @vitest-environment jsdom
import type { LanguageCode } from "@fairtick/i18n";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { UploadField } from "./UploadField.tsx";

const LIMIT = 104_857_600;

/** A fake upload whose server and network the test controls. */
class Request extends EventTarget {
  static all: Request[] = [];
  readonly upload = new EventTarget();
  responseText = "";
  isAborted = false;
  sent: FormData | null = null;
  constructor() {
    super();
    Request.all.push(this);
  }
  open() {}
  setRequestHeader() {}
  send(form: FormData) {
    this.sent = form;
  }
  abort() {
    this.isAborted = true;
  }
  goesOn(loaded: number, total: number) {
    act(() => void this.upload.dispatchEvent(new ProgressEvent("progress", { loaded, total })));
  }
  isAnswered(answer: { code: number; msg: string; data: unknown }) {
    this.responseText = JSON.stringify(answer);
    act(() => void this.dispatchEvent(new Event("load")));
  }
  isCut() {
    act(() => void this.dispatchEvent(new Event("error")));
  }
}

const onFile = vi.fn<(fileId: string | null, isOnItsWay: boolean) => void>();
const input = () => screen.getByLabelText<HTMLInputElement>("Receipt", { selector: "input" });
const shows = (words: string) => vi.waitFor(() => expect(screen.queryByText(words)).not.toBeNull());

function picture(name = "slip.png", bytes = 10): File {
  const file = new File(["0123456789"], name, { type: "image/png" });
  Object.defineProperty(file, "size", { value: bytes });
  return file;
}

function choose(file: File): Request | undefined {
  fireEvent.change(input(), { target: { files: [file] } });
  return Request.all.at(-1);
}

async function open(language: LanguageCode = "en") {
  await activateAllWords(language);
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <UploadField label="Receipt" purpose="receipt" onFile={onFile} />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

beforeEach(() => {
  Request.all = [];
  onFile.mockClear();
  vi.stubGlobal("XMLHttpRequest", Request);
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  // jsdom lacks it.
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} }));
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the picture field", () => {
  it("accepts pictures only, and leaves the choice of camera or file to the device", async () => {
    await open();
    expect(input().type).toBe("file");
    expect(input().accept).toBe("image/jpeg,image/png,image/webp,image/gif");
    expect(input().hasAttribute("capture")).toBe(false);
    expect(input().multiple).toBe(false);
    await shows("Choose a picture or take a photo");
    await shows("JPEG, PNG, WebP or GIF, at most 100MB");
  });

  it("shows its progress, that it is being checked, and that it has arrived", async () => {
    await open();
    const request = choose(picture());
    await shows("Uploading, 0%");
    request?.goesOn(4, 10);
    await shows("Uploading, 40%");
    expect(screen.getByRole<HTMLProgressElement>("progressbar", { name: "Receipt" }).value).toBeCloseTo(0.4);
    request?.goesOn(10, 10);
    await shows("Checking the picture");
    request?.isAnswered({ code: 200, msg: "", data: { fileId: "fil_1" } });
    await shows("Uploaded");
    expect(screen.queryByRole("progressbar")).toBeNull();
    expect(onFile.mock.calls).toEqual([
      [null, true],
      ["fil_1", false],
    ]);
  });

  it("is sent again unchanged after a lost connection, with one tap", async () => {
    await open();
    const file = picture();
    choose(file)?.isCut();
    await shows("We couldn’t upload the picture.");
    await shows("Nerwork Error");
    expect(onFile).toHaveBeenLastCalledWith(null, false);
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(Request.all).toHaveLength(2);
    expect(Request.all[1]?.sent?.get("file")).toMatchObject({ name: "slip.png" });
    expect(Request.all[1]?.sent?.get("purpose")).toBe("receipt");
    Request.all[1]?.isAnswered({ code: 200, msg: "", data: { fileId: "fil_2" } });
    await shows("Uploaded");
    expect(screen.queryByText("Nerwork Error")).toBeNull();
    expect(onFile).toHaveBeenLastCalledWith("fil_2", false);
  });

  it("stops when told to, and ignores later events of what it stopped", async () => {
    await open();
    const request = choose(picture());
    fireEvent.click(screen.getByRole("button", { name: "Cancel upload" }));
    expect(request?.isAborted).toBe(true);
    await shows("Choose a picture or take a photo");
    request?.isAnswered({ code: 200, msg: "", data: { fileId: "fil_late" } });
    await Promise.resolve();
    expect(screen.queryByText("Uploaded")).toBeNull();
    expect(onFile.mock.calls).toEqual([
      [null, true],
      [null, false],
    ]);
  });

  it("replaces a picture that is still uploading", async () => {
    await open();
    const first = choose(picture("first.png"));
    const second = choose(picture("second.png"));
    expect(first?.isAborted).toBe(true);
    first?.isAnswered({ code: 200, msg: "", data: { fileId: "fil_first" } });
    second?.isAnswered({ code: 200, msg: "", data: { fileId: "fil_second" } });
    await shows("Uploaded");
    expect(onFile).toHaveBeenLastCalledWith("fil_second", false);
    expect(onFile).not.toHaveBeenCalledWith("fil_first", false);
  });

  it("gives up after a minute without progress, and not before", async () => {
    await open();
    vi.useFakeTimers();
    const request = choose(picture());
    await act(() => vi.advanceTimersByTimeAsync(59_000));
    request?.goesOn(1, 10);
    await act(() => vi.advanceTimersByTimeAsync(59_000));
    expect(request?.isAborted).toBe(false);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(request?.isAborted).toBe(true);
    expect(screen.queryByText("We couldn’t upload the picture.")).not.toBeNull();
    expect(screen.queryByRole("button", { name: "Try again" })).not.toBeNull();
  });

  it("shows the server's message", async () => {
    await open();
    choose(picture())?.isAnswered({
      code: 422,
      msg: "We can’t read this file. Choose another one",
      data: { error: "FILE_BROKEN" },
    });
    await shows("We can’t read this file. Choose another one");
    expect(onFile).toHaveBeenLastCalledWith(null, false);
  });

  it.each([
    ["en", "Upload size must not exceed 100MB"],
    ["de", "Die Datei darf 100MB nicht überschreiten"],
  ] as const)("says in %s that a byte over 100 MB is too much, and sends none of it", async (language, words) => {
    await open(language);
    choose(picture("large.png", LIMIT + 1));
    await shows(words);
    expect(Request.all).toHaveLength(0);
    choose(picture("just.png", LIMIT));
    expect(Request.all).toHaveLength(1);
  });
});
