// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Activity } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { i18n } from "../shared/i18n.ts";
import { useUpload } from "./upload.ts";

/** A fake upload that the test answers. */
class Request extends EventTarget {
  static all: Request[] = [];
  readonly upload = new EventTarget();
  responseText = "";
  isAborted = false;
  constructor() {
    super();
    Request.all.push(this);
  }
  open() {}
  setRequestHeader() {}
  send() {}
  abort() {
    this.isAborted = true;
  }
  arrives(fileId: string) {
    this.responseText = JSON.stringify({ code: 200, msg: "", data: { fileId } });
    act(() => void this.dispatchEvent(new Event("load")));
  }
}

const FILE = new File(["a"], "front.png", { type: "image/png" });
const heard = vi.fn<(fileId: string | null, isOnItsWay: boolean) => void>();
function Field() {
  const { state, start, clear } = useUpload("identity", heard);
  return (
    <>
      <p>{state.step}</p>
      <button type="button" onClick={() => start(FILE)}>
        choose
      </button>
      <button type="button" onClick={clear}>
        leave out
      </button>
    </>
  );
}
const form = (mode: "visible" | "hidden") => (
  <Activity mode={mode}>
    <Field />
  </Activity>
);

beforeEach(() => {
  Request.all = [];
  heard.mockClear();
  i18n.loadAndActivate({ locale: "en", messages: {} });
  vi.stubGlobal("XMLHttpRequest", Request);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("reports when a file is being sent, has arrived, and was removed", async () => {
  render(form("visible"));
  fireEvent.click(screen.getByText("choose"));
  Request.all[0]?.arrives("fil_1");
  await screen.findByText("done");
  fireEvent.click(screen.getByText("leave out"));
  expect(heard.mock.calls).toEqual([
    [null, true],
    ["fil_1", false],
    [null, false],
  ]);
});

it("is sent again when the form that was hidden in the meantime is shown again", async () => {
  const { rerender } = render(form("visible"));
  fireEvent.click(screen.getByText("choose"));
  await act(async () => rerender(form("hidden")));
  await waitFor(() => expect(Request.all[0]?.isAborted).toBe(true));
  await act(async () => rerender(form("visible")));
  await waitFor(() => expect(Request.all).toHaveLength(2));
  Request.all[1]?.arrives("fil_1");
  await screen.findByText("done");
  expect(heard).toHaveBeenLastCalledWith("fil_1", false);
});
