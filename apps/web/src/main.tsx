import "./lib/older-browsers.ts";
import "./ui/fonts.css";
import "./ui/mantine.css";
import "./ui/tokens.css";
import "./ui/theme-variables.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { makePage } from "./app/page.ts";
import { Providers } from "./app/providers.tsx";
import { gate } from "./features/access/security-gate/gate.ts";
import { base } from "./lib/base.ts";
import { loadText, shownLanguage } from "./lib/i18n/language.ts";
import { presence } from "./lib/presence.ts";

gate.start();
presence.watch();
const page = makePage();

// No `await` at the top: a language's texts are a file that imports this one's chunk, and would wait for it to end.
const club = base ? import("./app/in-telegram.tsx").then(({ openClub }) => openClub(page)) : <App {...page} />;
void Promise.all([loadText(shownLanguage()), club]).then(([spoken, shown]) =>
  createRoot(document.getElementById("root") as HTMLElement).render(
    <StrictMode>
      <Providers queryClient={page.queryClient} spoken={spoken}>
        {shown}
      </Providers>
    </StrictMode>,
  ),
);
