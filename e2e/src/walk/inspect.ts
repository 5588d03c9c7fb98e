import type { Page } from "@playwright/test";

export interface Words {
  /** All visible text, and the text for screen readers. */
  readonly said: readonly string[];
  /** Text that is cut off or overlaps other text: one sentence each. */
  readonly faults: readonly string[];
}

/** Reads every piece of text as it is laid out and finds text that is cut off, spills out of its box or overlaps. */
export async function readWords(page: Page): Promise<Words> {
  return page.evaluate(inspect);
}

/** Runs in the page. */
function inspect(): Words {
  interface Piece {
    readonly words: string;
    readonly owner: Element;
    readonly layer: Element | null;
    readonly boxes: readonly DOMRect[];
  }
  const said = new Set<string>();
  const faults = new Set<string>();
  const pieces: Piece[] = [];

  const nameOf = (element: Element) => {
    const kind = element.getAttribute("class");
    return element.tagName.toLowerCase() + (kind ? `.${kind.trim().replaceAll(/\s+/g, ".")}` : "");
  };
  /** Returns the element's layer that floats over the page and moves separately. */
  const layerOf = (element: Element): Element | null => {
    for (let each: Element | null = element; each; each = each.parentElement) {
      const { position } = getComputedStyle(each);
      if (position === "fixed" || position === "sticky" || each.matches("dialog, [role=dialog]")) return each;
    }
    return null;
  };
  const blame = (kind: string, { words, owner }: Piece, by: Element) =>
    faults.add(`${kind}: “${words.slice(0, 60)}” in ${nameOf(owner)}${by === owner ? "" : ` by ${nameOf(by)}`}`);

  /** Returns the parts of the boxes inside an edge. */
  const clip = (boxes: readonly DOMRect[], edge: DOMRect) =>
    boxes.flatMap((box) => {
      const left = Math.max(box.left, edge.left);
      const top = Math.max(box.top, edge.top);
      const width = Math.min(box.right, edge.right) - left;
      const height = Math.min(box.bottom, edge.bottom) - top;
      return width > 0 && height > 0 ? [new DOMRect(left, top, width, height)] : [];
    });

  /** Returns whether an element is only there for screen readers, always or at this width. */
  const isForEarsOnly = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).clipPath === "inset(50%)" || isForEarsOnly(element.parentElement));

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = (node.textContent ?? "").trim();
    const owner = node.parentElement;
    if (words === "" || !owner || owner.closest("script, style, noscript, template, [inert]")) continue;
    said.add(words);
    if (!owner.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (owner.closest(".toast, .beginning, svg, option") || isForEarsOnly(owner)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // Use the font size as height, because fonts of some scripts claim much more height than they draw in.
    const size = Number.parseFloat(getComputedStyle(owner).fontSize);
    const boxes = [...range.getClientRects()]
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(
        ({ x, y, width, height }) => new DOMRect(x, y + Math.max(0, height - size) / 2, width, Math.min(height, size)),
      );
    if (boxes.length > 0) pieces.push({ words, owner, layer: layerOf(owner), boxes });
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder], [alt], [title]")) {
    if (element.closest("[inert]")) continue;
    for (const name of ["aria-label", "placeholder", "alt", "title"]) {
      const words = element.getAttribute(name)?.trim() ?? "";
      if (words !== "") said.add(words);
    }
  }

  /** Returns the element that may clip this one: for a positioned element only the one it was put into. */
  function around(each: Element): Element | null {
    const { position } = getComputedStyle(each);
    if (position === "fixed") return null;
    return position === "absolute" && each instanceof HTMLElement ? each.offsetParent : each.parentElement;
  }

  const shown = pieces.map((piece): Piece => {
    const { words, owner, layer } = piece;
    let boxes: readonly DOMRect[] = piece.boxes;
    let isInBox = false;
    let isBlamed = false;
    for (let each: Element | null = owner; each && each !== document.body && !isBlamed; each = around(each)) {
      const style = getComputedStyle(each);
      if (style.display === "inline" || style.display === "contents") continue;
      const edge = each.getBoundingClientRect();
      const isOverX = boxes.some(({ left, right }) => right > edge.right + 1.5 || left < edge.left - 1.5);
      const isOverY = boxes.some(
        ({ top, bottom, height }) => bottom > edge.bottom + height / 6 || top < edge.top - height / 6,
      );
      // An item of a row that wraps, all of it in a line out of sight, gives way to the others on purpose.
      const givesWay = style.flexWrap === "wrap" && boxes.every(({ top }) => top >= edge.bottom);
      const isBox = style.backgroundColor !== "rgba(0, 0, 0, 0)" || Number.parseFloat(style.borderLeftWidth) > 0;
      const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
      const scrolls = (overflow: string) => overflow === "auto" || overflow === "scroll";
      const says = [
        isOverX && hides(style.overflowX) && "cut at the side",
        isOverY && hides(style.overflowY) && !givesWay && "cut below",
        isOverX && isBox && !isInBox && style.overflowX === "visible" && "spills out at the side",
        isOverY && isBox && !isInBox && style.overflowY === "visible" && "spills out below",
        // A page is only meant to scroll up and down.
        isOverX && each.tagName === "MAIN" && "reaches beyond the page",
      ].filter((kind) => kind !== false);
      for (const kind of says) blame(kind, piece, each);
      isBlamed = says.length > 0;
      isInBox ||= isBox || scrolls(style.overflowX) || scrolls(style.overflowY);
      if (style.overflowX !== "visible" || style.overflowY !== "visible") boxes = clip(boxes, edge);
    }
    return { words, owner, layer, boxes };
  });

  const lines = shown.flatMap((piece) =>
    piece.boxes.map((box) => ({ piece, box, middle: (box.top + box.bottom) / 2 })),
  );
  lines.sort((one, other) => one.box.top - other.box.top);
  for (const [place, one] of lines.entries())
    for (let next = place + 1; next < lines.length; next += 1) {
      const other = lines[next]!;
      if (other.box.top > one.box.bottom) break;
      if (other.piece === one.piece || other.piece.layer !== one.piece.layer) continue;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 2 && high > Math.min(one.box.height, other.box.height) * 0.2)
        faults.add(
          `overlap: “${one.piece.words.slice(0, 40)}” (${nameOf(one.piece.owner)}) and ` +
            `“${other.piece.words.slice(0, 40)}” (${nameOf(other.piece.owner)})`,
        );
    }
  return { said: [...said], faults: [...faults] };
}

/** Makes the window as tall as the screen's longest part, so that a screenshot shows all of it. */
export async function stretch(page: Page, width: number, height: number): Promise<void> {
  const more = await page.evaluate(() => {
    const parts = [...document.querySelectorAll<HTMLElement>("main, [role=dialog], dialog, .case, .queue, .office")];
    return Math.max(0, ...parts.map((part) => part.scrollHeight - part.clientHeight));
  });
  await page.setViewportSize({ width, height: Math.min(height + more, HIGHEST) });
  await settle(page);
}
const HIGHEST = 2_400;

/** Waits for two frames, so that the layout has followed the window. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((drawn) => {
        requestAnimationFrame(drawn);
      });
  });
}
