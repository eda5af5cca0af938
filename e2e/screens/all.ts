import type { Browser, Page } from "playwright-core";
import { savesData } from "../browser.ts";
import type { SampleClub } from "../sample.ts";
import { atRest } from "../seen.ts";
import { adminCatalogScreens } from "./admin-catalog.ts";
import { adminInterfacesScreens } from "./admin-interfaces.ts";
import { adminInvitesScreens } from "./admin-invites.ts";
import { adminPaymentsScreens } from "./admin-payments.ts";
import { adminPulseScreens } from "./admin-pulse.ts";
import { adminRulesScreens } from "./admin-rules.ts";
import { adminServersScreens } from "./admin-servers.ts";
import { adminSilenceScreens } from "./admin-silence.ts";
import { adminSupportScreens } from "./admin-support.ts";
import { adminSystemScreens } from "./admin-system.ts";
import { adminUsersScreens } from "./admin-users.ts";
import { adminVpnScreens } from "./admin-vpn.ts";
import { adminWebhooksScreens } from "./admin-webhooks.ts";
import { createScreens } from "./create-device.ts";
import { dashboardScreens } from "./dashboard.ts";
import { deviceScreens } from "./device.ts";
import { diagnosisScreens } from "./diagnosis.ts";
import { dictionaries } from "./dictionaries.ts";
import { friendScreens } from "./friends.ts";
import { guestScreens } from "./guests.ts";
import { paymentScreens } from "./payments.ts";
import { routedScreens } from "./routed.ts";
import { settingsScreens } from "./settings.ts";
import { type Language, PATIENCE, type Screen, SIZES, type Size, type Stage, type Theme } from "./stage.ts";
import { unstage } from "./staged.ts";
import { supportScreens } from "./support.ts";

/**
 * Every screen and dialog, once: who sees it and how to get there. `npm run shots` takes pictures of them, and
 * every-screen.journey.test.ts checks them. A new screen is one entry in its area's list.
 */
export const screens: readonly Screen[] = [
  ...guestScreens,
  ...dashboardScreens,
  ...createScreens,
  ...deviceScreens,
  ...diagnosisScreens,
  ...routedScreens,
  ...settingsScreens,
  ...paymentScreens,
  ...friendScreens,
  ...supportScreens,
  ...adminPulseScreens,
  ...adminUsersScreens,
  ...adminPaymentsScreens,
  ...adminInvitesScreens,
  ...adminServersScreens,
  ...adminInterfacesScreens,
  ...adminCatalogScreens,
  ...adminRulesScreens,
  ...adminSystemScreens,
  ...adminWebhooksScreens,
  ...adminSilenceScreens,
  ...adminSupportScreens,
  ...adminVpnScreens,
];

/** The window sizes a screen exists in. */
export const sizesOf = ({ sizes = ["desktop", "phone"] }: Screen): readonly Size[] => sizes;

export interface Look {
  size: Size;
  theme: Theme;
  language: Language;
}

/** Signs in each of the sample club's people whose screens are shown. */
export async function signInEveryone(club: SampleClub): Promise<(who: Screen["who"]) => string | null> {
  const names = [...new Set(screens.flatMap(({ who }) => who ?? []))];
  const tokens = new Map<string, string>();
  for (const name of names) tokens.set(name, await club.signIn(name));
  return (who) => (who === null ? null : (tokens.get(who) ?? null));
}

/**
 * Reuses a page for one screen after another, so that it need not load and compile again. Nothing
 * else survives from the previous screen, not even who was signed in. `tokenOf`: returns a person's token.
 */
export function makeSeats(browser: Browser, url: string, tokenOf: (who: Screen["who"]) => string | null) {
  const free: Page[] = [];

  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: url,
      locale: "ru-RU",
      colorScheme: "dark",
      reducedMotion: "reduce",
      serviceWorkers: "block",
    });
    await context.addInitScript(() => {
      if (!location.protocol.startsWith("http")) return;
      localStorage.setItem("krug.theme", "dark");
      localStorage.setItem("krug.language", "ru");
    });
    await context.addInitScript(savesData);
    return context.newPage();
  };

  /** Clears the screen and leaves an idle page: an open screen would poll and draw while others are shown. */
  const forget = async (page: Page) => {
    await unstage(page);
    if (page.url().startsWith("http"))
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
    // Not a blank page: after one, Chromium would start a process and compile everything again.
    await page.goto("/health");
    await page.context().clearCookies();
    await page.mouse.move(0, 0); // nothing is hovered over
  };

  /** Shows a screen in Russian and dark, runs the check, and clears it. */
  return async function seated<Result>(
    screen: Screen,
    size: Size,
    look: (page: Page) => Promise<Result>,
  ): Promise<Result> {
    const page = free.pop() ?? (await newPage());
    const afterwards: Stage["afterwards"] = [];
    try {
      const token = tokenOf(screen.who);
      if (token !== null)
        await page.context().addCookies([{ name: "krug_session", value: token, url, sameSite: "Strict" }]);
      await page.setViewportSize(SIZES[size]);
      await screen.open({ page, afterwards, language: "ru", text: dictionaries.ru });
      const result = await look(page);
      for (const undo of afterwards) await undo();
      await forget(page);
      free.push(page);
      return result;
    } catch (error) {
      await page.context().close();
      throw new Error(`${screen.name} (${size}) does not come up`, { cause: error });
    }
  };
}

interface Opened {
  screen: Screen;
  look: Look;
  url: string;
  /** The viewer's. */
  token: string | null;
  /** Chromium's own unless given. */
  userAgent?: string;
}

/** A page in a new browser, in this size, theme and language, with the screen open. */
export async function openScreen(
  browser: Browser,
  { screen, look, url, token, ...browserName }: Opened,
): Promise<Page> {
  const { size, theme, language } = look;
  const context = await browser.newContext({
    viewport: SIZES[size],
    baseURL: url,
    locale: language === "ru" ? "ru-RU" : "en-GB",
    colorScheme: theme,
    reducedMotion: "reduce",
    serviceWorkers: "block",
    ...browserName,
  });
  if (token !== null) await context.addCookies([{ name: "krug_session", value: token, url, sameSite: "Strict" }]);
  await context.addInitScript(
    ([shownTheme, shownLanguage]) => {
      if (!location.protocol.startsWith("http")) return;
      localStorage.setItem("krug.theme", shownTheme);
      localStorage.setItem("krug.language", shownLanguage);
    },
    [theme, language] as const,
  );
  const page = await context.newPage();
  try {
    await screen.open({ page, language, text: dictionaries[language], afterwards: [] });
    return page;
  } catch (error) {
    await context.close();
    throw new Error(`${screen.name} (${size}, ${theme}, ${language}) does not come up`, { cause: error });
  }
}

/** Shows the open screen in another size, theme and language; the latter two as if chosen in another tab. */
export async function lookAnew(page: Page, { size, theme, language }: Look): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  await page.evaluate(
    (chosen) => {
      for (const [key, newValue] of chosen)
        dispatchEvent(new StorageEvent("storage", { key, newValue, storageArea: localStorage }));
    },
    [
      ["krug.theme", theme],
      ["krug.language", language],
    ] as const,
  );
  await page.waitForFunction(
    ([shownTheme, shownLanguage]) =>
      document.documentElement.dataset.mantineColorScheme === shownTheme &&
      document.documentElement.lang === shownLanguage,
    [theme, language] as const,
    PATIENCE,
  );
  await atRest(page);
}
