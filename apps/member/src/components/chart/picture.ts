const HEAD_PX = 44;
const MARGIN_PX = 16;

/** Returns a picture of a chart with a title line. Throws if the browser can't draw it. */
export async function drawnPicture(
  address: string,
  {
    title,
    ground,
    ink,
    font,
  }: { readonly title: string; readonly ground: string; readonly ink: string; readonly font: string },
): Promise<Blob> {
  const drawn = new Image();
  drawn.src = address;
  await drawn.decode();
  const canvas = document.createElement("canvas");
  const scale = globalThis.devicePixelRatio || 1;
  canvas.width = drawn.naturalWidth;
  canvas.height = drawn.naturalHeight + HEAD_PX * scale;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser draws no pictures");
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = ink;
  context.font = `500 ${15 * scale}px ${font}`;
  context.textBaseline = "middle";
  context.fillText(title, MARGIN_PX * scale, (HEAD_PX / 2) * scale);
  context.drawImage(drawn, 0, HEAD_PX * scale);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error("this browser makes no pictures"));
      else resolve(blob);
    }, "image/png");
  });
}
