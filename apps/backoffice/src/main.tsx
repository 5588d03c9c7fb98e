import "@fairtick/ui/styles.css";
import "@fairtick/ui/styles/trading.css";
import "./app/office.css";
import "./app/overview.css";
import { refuseSecondClicks } from "@fairtick/ui";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { makeQueries } from "./data/queries.ts";

refuseSecondClicks();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={makeQueries()}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
