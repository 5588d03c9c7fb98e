import "@fairtick/ui/styles.css";
import "./app/app.css";
import { start } from "./app/start.tsx";

void start();
