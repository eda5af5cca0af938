import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { ROOT } from "../scripts/command.mjs";
import { ensureInstalled } from "../scripts/install.mjs";
import { openBrowser } from "./browser.ts";
import { startSampleClub } from "./sample.ts";
import { type Look, openScreen, screens, signInEveryone, sizesOf } from "./screens/all.ts";
import { type Screen, SIZES } from "./screens/stage.ts";

/*
 * `npm run shots [-- FOLDER [NAME…]]`: pictures of every screen, or of those whose name starts with NAME, at 360 and 1440
 * px, dark and light, in Russian; in English only the dark phone. For people to look at: nothing compares them.
 * `npm run shots -- --docs` recreates the pictures of the README and of docs/, in docs/images.
 */
const AT_ONCE = 3;
const LOOKS: Look[] = [
  ...(["phone", "desktop"] as const).flatMap((size) =>
    (["dark", "light"] as const).map((theme): Look => ({ size, theme, language: "ru" })),
  ),
  { size: "phone", theme: "dark", language: "en" },
];

/** The pictures that README.md and docs/ show, by the names of their screens. */
const IN_DOCS: Record<Look["size"], readonly string[]> = {
  desktop: ["dashboard", "admin-guide", "admin-server-setup-runs", "admin-invites-made"],
  phone: ["register-code", "create-first", "created-connected", "diagnosis-never-connected", "payment-ended"],
};
/** A page of text shows no wider ones. */
const WIDEST_IN_DOCS = 1080;
/** The product adapts to phones, and in docs/ a narrow picture is a phone's. */
const PHONE =
  "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36";

interface Shot {
  screen: Screen;
  look: Look;
  /** Within the folder. */
  file: string;
}

/** Every picture of the screens whose name starts with one of these. */
function shotsOf(wanted: readonly string[]): Shot[] {
  const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.some((begin) => name.startsWith(begin)));
  return chosen.flatMap((screen) =>
    LOOKS.filter(({ size }) => sizesOf(screen).includes(size)).map((look) => {
      const number = String(screens.indexOf(screen) + 1).padStart(2, "0");
      const { width, height } = SIZES[look.size];
      return { screen, look, file: `${number}-${screen.name}-${width}x${height}-${look.theme}-${look.language}.png` };
    }),
  );
}

function shotsOfDocs(): Shot[] {
  return (["desktop", "phone"] as const).flatMap((size) =>
    IN_DOCS[size].map((name) => {
      const screen = screens.find((one) => one.name === name);
      if (screen === undefined) throw new Error(`No screen is called ${name}`);
      return { screen, look: { size, theme: "dark", language: "ru" }, file: `${name}.webp` };
    }),
  );
}

const [first, ...names] = process.argv.slice(2);
const isForDocs = first === "--docs";
const folder = isForDocs ? join(ROOT, "docs", "images") : (first ?? join("data", "shots"));
const waiting = isForDocs ? shotsOfDocs() : shotsOf(names);
const all = waiting.length;
await ensureInstalled();
await mkdir(folder, { recursive: true });
const [club, browser] = await Promise.all([startSampleClub(), openBrowser()]);
try {
  const tokenOf = await signInEveryone(club);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { screen, look, file } = next;
      const browserName = isForDocs && look.size === "phone" ? { userAgent: PHONE } : {};
      const page = await openScreen(browser, {
        screen,
        look,
        url: club.url,
        token: tokenOf(screen.who),
        ...browserName,
      });
      // The docs show the panel at rest: the connection's check is only reported for the first seconds.
      if (isForDocs) await page.locator("[role=status] > div[data-state]").waitFor({ state: "detached" });
      await page.waitForTimeout(400);
      const picture = await page.screenshot();
      await page.context().close();
      await writeFile(join(folder, file), isForDocs ? await forDocs(picture) : picture);
      console.log(file);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`${all} pictures in ${resolve(folder)}`);
} finally {
  await browser.close();
  await club.remove();
}

/** @returns a small WebP */
function forDocs(picture: Buffer): Promise<Buffer> {
  return sharp(picture).resize({ width: WIDEST_IN_DOCS, withoutEnlargement: true }).webp({ quality: 82 }).toBuffer();
}
