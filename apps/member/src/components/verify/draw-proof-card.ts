import { encodeQR } from "qr";

/** The texts of the picture, already in the member's language. */
export interface ProofCard {
  readonly name: string;
  /** Direction and duration in one line. */
  readonly terms: string;
  readonly outcome: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Words beside the seal; null if the order wasn't verified, so that the picture has neither and only invites to check. */
  readonly verified: string | null;
  readonly scan: string;
  readonly link: string;
  readonly tone: "up" | "down" | "flat";
}

const WIDTH = 1080;
const HEIGHT = 1350;
const EDGE = 88;
const QR_SIZE = 320;

/** Draws the card as a PNG on this device, in the colours of `theme`. Nothing is sent anywhere. */
export async function drawProofCard(card: ProofCard, theme: Element): Promise<Blob> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("this browser draws no pictures");
  const style = getComputedStyle(theme);
  const colour = (token: string) => resolved(theme, token);
  const font = (size: number, weight = 400) => `${weight} ${size}px ${style.fontFamily}`;
  const write = (
    text: string,
    at: readonly [x: number, y: number],
    look: { size: number; ink: string; weight?: number },
  ) => {
    pen.fillStyle = look.ink;
    let { size } = look;
    do pen.font = font(size, look.weight);
    while (pen.measureText(text).width > WIDTH - at[0] - EDGE && (size -= 2) > 16);
    pen.fillText(text, ...at);
  };
  const [ink, soft, accent] = [colour("--ink"), colour("--ink-soft"), colour("--accent")];
  pen.fillStyle = colour("--ground");
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  write("Fairtick", [EDGE, 140], { size: 44, ink: accent, weight: 500 });
  write(card.name, [EDGE, 280], { size: 84, ink, weight: 500 });
  write(card.terms, [EDGE, 350], { size: 44, ink: soft });
  write(card.outcome, [EDGE, 490], {
    size: 96,
    ink: card.tone === "flat" ? ink : colour(`--${card.tone}`),
    weight: 500,
  });
  for (const [row, [name, value]] of card.facts.entries()) {
    const y = 600 + row * 84;
    pen.fillStyle = colour("--line");
    pen.fillRect(EDGE, y - 56, WIDTH - 2 * EDGE, 2);
    write(name, [EDGE, y], { size: 36, ink: soft });
    write(value, [EDGE + 380, y], { size: 40, ink, weight: 500 });
  }
  if (card.verified !== null) {
    drawSeal(pen, { x: EDGE + 60, y: HEIGHT - 280, accent, face: colour("--accent-soft") });
    write(card.verified, [EDGE, HEIGHT - 150], { size: 36, ink, weight: 500 });
  }
  write(card.scan, [EDGE, HEIGHT - 96], { size: 32, ink: soft });
  drawCode(pen, card.link);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture was made")) : resolve(blob)), "image/png");
  });
}

/** Resolves a token's colour in the current theme, because a canvas can't parse `light-dark()`. */
function resolved(theme: Element, token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  theme.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

interface Seal {
  readonly x: number;
  readonly y: number;
  readonly accent: string;
  readonly face: string;
}

function drawSeal(pen: CanvasRenderingContext2D, { x, y, accent, face }: Seal): void {
  pen.beginPath();
  pen.arc(x, y, 60, 0, 2 * Math.PI);
  pen.fillStyle = face;
  pen.fill();
  pen.strokeStyle = accent;
  pen.lineWidth = 5;
  pen.stroke();
  pen.beginPath();
  pen.moveTo(x - 20, y + 2);
  pen.lineTo(x - 6, y + 16);
  pen.lineTo(x + 21, y - 14);
  pen.lineWidth = 8;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  pen.stroke();
}

/** Draws the QR code, dark on white in both themes because cameras need that. */
function drawCode(pen: CanvasRenderingContext2D, link: string): void {
  const rows = encodeQR(link, "raw", { ecc: "low", border: 2 });
  const [left, top] = [WIDTH - EDGE - QR_SIZE, HEIGHT - EDGE - QR_SIZE];
  const module = QR_SIZE / rows.length;
  pen.fillStyle = "#ffffff";
  pen.fillRect(left, top, QR_SIZE, QR_SIZE);
  pen.fillStyle = "#000000";
  for (const [y, row] of rows.entries())
    for (const [x, dark] of row.entries())
      if (dark) pen.fillRect(left + x * module, top + y * module, module + 0.5, module + 0.5);
}
