/** The gallery of components. Only `npm run dev` serves it, at /gallery; builds leave it out. */
import "@fairtick/ui/styles.css";
import "../app/app.css";
import "./gallery.css";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { goLive } from "../data/live.ts";
import { queryClient } from "../data/queries.ts";
import { activateAllWords, i18n } from "../shared/i18n.ts";
import { Gallery } from "./Gallery.tsx";

await activateAllWords();
// Prices are those of the server behind the dev server.
goLive();
const place = document.getElementById("gallery");
if (place === null) throw new Error("gallery.html has no #gallery");
createRoot(place).render(
  <I18nProvider i18n={i18n}>
    <QueryClientProvider client={queryClient}>
      <Gallery />
    </QueryClientProvider>
  </I18nProvider>,
);
