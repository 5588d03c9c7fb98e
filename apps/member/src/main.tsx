import "@fairtick/ui/styles.css";
import "./app/app.css";
import "./app/home.css";
import { start } from "./app/start.tsx";

// Starts in a task of its own, so that the browser can respond to a tap between reading the scripts and starting.
setTimeout(() => {
  // Not even the messages could be loaded, so the page itself offers to reload, as if this script hadn't arrived.
  start().catch((error: unknown) => {
    dispatchEvent(new Event("fairtick-lost"));
    throw error;
  });
});
