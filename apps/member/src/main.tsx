import "@fairtick/ui/styles.css";
import "./app/app.css";
import "./app/home.css";
import { start } from "./app/start.tsx";

start().catch(() => {
  // Not even the first words came: the one sentence that stands in the code itself.
  const root = document.getElementById("root");
  if (!root) return;
  root.textContent = "This page could not be loaded. Tap to reload";
  root.addEventListener("click", () => {
    location.reload();
  });
});
