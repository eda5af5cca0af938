import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../features/access/auth/queries.ts";
import { begin } from "../features/messages/telegram/app/begin.ts";
import { giveInTelegram } from "../features/vpn/configs/telegram-file.ts";
import { lazyPart } from "../ui/lazy.tsx";
import { App } from "./app.tsx";
import type { makePage } from "./page.ts";

// Not in this file: the first load of every page would name their files too.
const LinkSheet = lazyPart(() =>
  import("../features/messages/telegram/app/link-sheet.tsx").then(({ LinkSheet }) => LinkSheet),
);
const Stopped = lazyPart(() => import("../features/messages/telegram/app/stopped.tsx").then(({ Stopped }) => Stopped));

type Page = ReturnType<typeof makePage>;

/** The page in Telegram (ADR 170): the club, or why nobody can be signed in here. */
export async function openClub(page: Page): Promise<React.ReactNode> {
  if (globalThis.krugTelegram) globalThis.krugTelegram.give = giveInTelegram;
  const why = await begin(async () => (await page.queryClient.fetchQuery(meQuery)) !== null);
  return why ? <Stopped why={why} /> : <Club {...page} />;
}

function Club(page: Page) {
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  return (
    <>
      <App {...page} />
      {me && <LinkSheet me={me} />}
    </>
  );
}
