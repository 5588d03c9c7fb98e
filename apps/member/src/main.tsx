import "@fairtick/ui/styles.css";
import "./app/app.css";
import "./app/home.css";
import { start } from "./app/start.tsx";

// In a task of its own: the browser answers a tap between reading the scripts and starting.
setTimeout(() => {
  // Not even the first words came: the page itself offers to load it again, as where this script does not come.
  start().catch((error: unknown) => {
    dispatchEvent(new Event("fairtick-lost"));
    throw error;
  });
});
