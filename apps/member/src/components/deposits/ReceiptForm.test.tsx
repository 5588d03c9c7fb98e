// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { currentPlace, navigateTo, ShownPlace } from "../../shared/navigation.tsx";
import { ReceiptForm } from "./ReceiptForm.tsx";

/** A fake upload that the test answers. */
class Request extends EventTarget {
  static last: Request;
  readonly upload = new EventTarget();
  responseText = "";
  constructor() {
    super();
    Request.last = this;
  }
  open() {}
  setRequestHeader() {}
  send() {}
  abort() {}
  arrives(fileId: string) {
    this.responseText = JSON.stringify({ code: 200, msg: "", data: { fileId } });
    act(() => void this.dispatchEvent(new Event("load")));
  }
}

/** The submitted receipts, and how the server answers. */
let handedIn: { readonly depositNo: string | null; readonly fileId: string | null }[] = [];
let answer: () => Response | Promise<Response>;
const onDone = vi.fn<() => void>();
const taken = () => Response.json({ code: 200, msg: "", data: { depositNo: "dep_1", state: "processing" } });
const shows = (words: string) => vi.waitFor(() => expect(screen.queryAllByText(words)).not.toEqual([]));
const press = () => {
  fireEvent.click(screen.getByRole("button", { name: "Send receipt" }));
};
const choose = () => {
  const file = new File(["0123456789"], "slip.png", { type: "image/png" });
  fireEvent.change(screen.getByLabelText("Receipt", { selector: "input" }), { target: { files: [file] } });
};

beforeEach(async () => {
  handedIn = [];
  answer = taken;
  onDone.mockClear();
  vi.stubGlobal("XMLHttpRequest", Request);
  vi.stubGlobal("fetch", (url: string, { body }: RequestInit) => {
    if (!url.endsWith("deposit/receipt")) return new Promise(() => {});
    const fields = new URLSearchParams(body as string);
    handedIn.push({ depositNo: fields.get("depositNo"), fileId: fields.get("fileId") });
    return Promise.resolve(answer());
  });
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} }));
  await activateAllWords("en");
  navigateTo("/pages/rk/bank");
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ShownPlace value={currentPlace()}>
          <ReceiptForm depositNo="dep_1" submit="Send receipt" onDone={onDone} />
        </ShownPlace>
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

describe("the receipt of a bank transfer", () => {
  it("is asked for if there is none", async () => {
    press();
    await shows("Upload the receipt");
    expect(screen.getByLabelText("Receipt", { selector: "input" }).getAttribute("aria-invalid")).toBe("true");
    expect(handedIn).toEqual([]);
  });

  it("is waited for while it is still uploading", async () => {
    choose();
    press();
    await shows("Your picture is still uploading. Please wait a moment");
    expect(handedIn).toEqual([]);
    Request.last.arrives("fil_1");
    await shows("Uploaded");
    expect(screen.getByLabelText("Receipt", { selector: "input" }).hasAttribute("aria-invalid")).toBe(false);
  });

  it("is submitted for its own deposit, and the field is empty for a better one", async () => {
    choose();
    Request.last.arrives("fil_1");
    await shows("Uploaded");
    press();
    await shows("Operation successful");
    expect(handedIn).toEqual([{ depositNo: "dep_1", fileId: "fil_1" }]);
    expect(onDone).toHaveBeenCalledTimes(1);
    await shows("Choose a picture or take a photo");
    press();
    await shows("Upload the receipt");
    expect(handedIn).toHaveLength(1);
  });

  it("is submitted once, however often the button is pressed", async () => {
    let answerNow: (response: Response) => void = () => {};
    answer = () =>
      new Promise((resolve) => {
        answerNow = resolve;
      });
    choose();
    Request.last.arrives("fil_1");
    await shows("Uploaded");
    press();
    press();
    await vi.waitFor(() => expect(handedIn).toHaveLength(1));
    answerNow(taken());
    await shows("Operation successful");
    expect(handedIn).toHaveLength(1);
  });

  it("leads nobody on who went to another screen meanwhile", async () => {
    choose();
    Request.last.arrives("fil_1");
    await shows("Uploaded");
    press();
    navigateTo("/pages/home/index");
    await shows("Operation successful");
    await shows("Choose a picture or take a photo");
    expect(onDone).not.toHaveBeenCalled();
  });

  it("stays in the field after a refusal, to be submitted again", async () => {
    answer = () =>
      Response.json({ code: 409, msg: "Someone changed this while you were working", data: { error: "CONFLICT" } });
    choose();
    Request.last.arrives("fil_1");
    await shows("Uploaded");
    press();
    await shows("Someone changed this while you were working");
    expect(onDone).not.toHaveBeenCalled();
    answer = taken;
    press();
    await shows("Operation successful");
    expect(handedIn).toEqual([
      { depositNo: "dep_1", fileId: "fil_1" },
      { depositNo: "dep_1", fileId: "fil_1" },
    ]);
  });
});
