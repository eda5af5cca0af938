import "./lib/older-browsers.ts";
import "./ui/fonts.css";
import "@mantine/core/styles/default-css-variables.layer.css";
import "./ui/mantine.css";
import "./ui/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { Providers } from "./app/providers.tsx";
import { makeRouter } from "./app/router.tsx";
import { meQuery } from "./features/auth/queries.ts";
import { noteSessionOver } from "./features/auth/session-over.ts";
import { stopForMaintenance } from "./features/maintenance/queries.ts";
import { gate } from "./features/security-gate/gate.ts";
import { loadText, shownLanguage } from "./lib/i18n/language.ts";
import { presence } from "./lib/presence.ts";
import { makeQueryClient } from "./lib/query-client.ts";

gate.start();
presence.watch();
const queryClient = makeQueryClient({
  signedOut: () => {
    noteSessionOver(queryClient);
    void router.invalidate();
  },
  underMaintenance: () => stopForMaintenance(queryClient, Boolean(queryClient.getQueryData(meQuery.queryKey))),
});
const router = makeRouter(queryClient);

// No `await` at the top: a language's texts are a file that imports this one's chunk, and would wait for it to end.
void loadText(shownLanguage()).then((spoken) =>
  createRoot(document.getElementById("root") as HTMLElement).render(
    <StrictMode>
      <Providers queryClient={queryClient} spoken={spoken}>
        <App router={router} queryClient={queryClient} />
      </Providers>
    </StrictMode>,
  ),
);
