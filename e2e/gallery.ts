import { createServer } from "node:http";
import { ensureInstalled } from "../scripts/install.mjs";
import { openBrowser } from "./browser.ts";
import { galleryPage } from "./gallery-page.ts";
import { startSampleClub } from "./sample.ts";
import { type Look, openScreen, screens, signInEveryone, sizesOf } from "./screens/all.ts";

/*
 * `npm run gallery`: every screen and dialog of the sample club in one page. Each picture is taken when it scrolls into view
 * and kept until the gallery ends. PORT sets the port, 3002 by default.
 */
const AT_ONCE = 2;
const PORT = Number(process.env.PORT ?? 3002);

await ensureInstalled();
const [club, browser] = await Promise.all([startSampleClub(), openBrowser()]);
const tokenOf = await signInEveryone(club);

const pictures = new Map<string, Promise<Buffer>>();
let busy = 0;
const waiting: (() => void)[] = [];

async function take(name: string, look: Look): Promise<Buffer> {
  const screen = screens.find((each) => each.name === name);
  if (!screen || !sizesOf(screen).includes(look.size)) throw new Error(`there is no ${name} at this size`);
  if (busy >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  busy++;
  try {
    const page = await openScreen(browser, { screen, look, url: club.url, token: tokenOf(screen.who) });
    try {
      return await page.screenshot();
    } finally {
      await page.context().close();
    }
  } finally {
    busy--;
    waiting.shift()?.();
  }
}

const isOneOf = <Value extends string>(value: string | null, values: readonly Value[]): value is Value =>
  values.includes(value as Value);

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://gallery");
  if (pathname === "/") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(galleryPage(screens));
    return;
  }
  const size = searchParams.get("size");
  const theme = searchParams.get("theme");
  const language = searchParams.get("language");
  const name = pathname.match(/^\/pictures\/([\w-]+)\.png$/)?.[1];
  const isLook = isOneOf(size, ["phone", "desktop"]) && isOneOf(theme, ["dark", "light"]);
  if (name === undefined || !isLook || !isOneOf(language, ["ru", "en"])) {
    response.writeHead(404).end();
    return;
  }
  const key = [name, size, theme, language].join(" ");
  const picture = pictures.get(key) ?? take(name, { size, theme, language });
  pictures.set(key, picture);
  try {
    const bytes = await picture;
    response.writeHead(200, { "content-type": "image/png" }).end(bytes);
  } catch (error) {
    pictures.delete(key); // dropped, so that the next request tries again
    response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end(String(error));
  }
});
server.listen(PORT, "127.0.0.1", () => console.log(`${screens.length} screens and dialogs: http://127.0.0.1:${PORT}`));

const end = async () => {
  server.close();
  server.closeAllConnections();
  await browser.close();
  await club.remove();
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void end().finally(() => process.exit(0)));
