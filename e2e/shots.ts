import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ensureInstalled } from "../scripts/install.mjs";
import { openBrowser } from "./browser.ts";
import { startSampleClub } from "./sample.ts";
import { type Look, openScreen, screens, signInEveryone, sizesOf } from "./screens/all.ts";
import { SIZES } from "./screens/stage.ts";

/*
 * `npm run shots [-- FOLDER [NAME…]]`: pictures of every screen, or of those whose name starts with NAME, at 360 and 1440
 * px, dark and light, in Russian; in English only the dark phone. For people to look at: nothing compares them.
 */
const AT_ONCE = 3;
const LOOKS: Look[] = [
  ...(["phone", "desktop"] as const).flatMap((size) =>
    (["dark", "light"] as const).map((theme): Look => ({ size, theme, language: "ru" })),
  ),
  { size: "phone", theme: "dark", language: "en" },
];

const [folder = join("data", "shots"), ...wanted] = process.argv.slice(2);
const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.some((begin) => name.startsWith(begin)));
await ensureInstalled();
await mkdir(folder, { recursive: true });
const [club, browser] = await Promise.all([startSampleClub(), openBrowser()]);
try {
  const tokenOf = await signInEveryone(club);
  const waiting = chosen.flatMap((screen) =>
    LOOKS.filter(({ size }) => sizesOf(screen).includes(size)).map((look) => ({ screen, look })),
  );
  const all = waiting.length;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { screen, look } = next;
      const page = await openScreen(browser, { screen, look, url: club.url, token: tokenOf(screen.who) });
      const number = String(screens.indexOf(screen) + 1).padStart(2, "0");
      const { width, height } = SIZES[look.size];
      const name = `${number}-${screen.name}-${width}x${height}-${look.theme}-${look.language}.png`;
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(folder, name) });
      await page.context().close();
      console.log(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`${all} pictures in ${resolve(folder)}`);
} finally {
  await browser.close();
  await club.remove();
}
