/** Hands bytes to the browser's downloads under that name. */
export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download holds the bytes itself once it has begun.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}
