/** Saves bytes through the browser's downloads under a file name. */
export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Once the download has begun, it holds the bytes itself.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}
