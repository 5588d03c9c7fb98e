import "@fairtick/ui/styles.css";
import "./app/app.css";
import "./app/home.css";
import { start } from "./app/start.tsx";

void start();
