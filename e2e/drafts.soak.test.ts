import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { browser, club, openClub } from "./club-in-browser.ts";
import { makeSeats, screens, signInEveryone, sizesOf } from "./screens/all.ts";
import { dictionaries } from "./screens/dictionaries.ts";
import { PATIENCE } from "./screens/stage.ts";

/*
 * What is typed into a staff dialog outlives a reload, except secrets. Screens that type something themselves as they open are left
 * out: their draft is replaced before it could be offered.
 */
const FIELDS = '[role="dialog"] :is(textarea, input:not([type]), input[type=text], input[type=url])';
const SECRETS = '[role="dialog"] input[type=password]';
const SECRET = "a secret phrase of mine";
/** A form's draft among what a browser stores. */
const DRAFT = '"form.';
const GO_ON = "Продолжить начатое";

/** Their fields filter a list, confirm by a name, or take secrets, a bank's list, or the sum of one payment. */
const NOTHING_TO_KEEP = [
  "admin-entry-recovery",
  "admin-palette",
  "admin-delete",
  "admin-extend",
  "admin-extend-one",
  "admin-payments-many",
  "admin-server-assign",
  "admin-interface-move-in",
  "admin-interface-delete",
];

const asked = screens.filter(
  ({ name, who, isVariant }) =>
    !isVariant && (who === "admin" || who === "moderator") && !NOTHING_TO_KEEP.includes(name),
);

openClub();
let seated: ReturnType<typeof makeSeats>;
beforeAll(async () => {
  seated = makeSeats(browser, club.url, await signInEveryone(club));
});

const textsOf = (page: Page) =>
  page.locator(FIELDS).evaluateAll((all) => (all as HTMLInputElement[]).map(({ value }) => value));

async function type(page: Page): Promise<string[]> {
  const count = await page.locator(FIELDS).count();
  for (let at = 0; at < count; at++) {
    const field = page.locator(FIELDS).nth(at);
    if (!(await field.isEditable())) continue;
    if ((await field.getAttribute("autocomplete")) === "one-time-code") continue;
    await field.fill(`${at + 1}7`);
  }
  for (const secret of await page.locator(SECRETS).all()) await secret.fill(SECRET);
  return textsOf(page);
}

/** All that the page's origin stores. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name ?? "");
        request.onsuccess = () => resolve(request.result);
      });
      for (const store of database.objectStoreNames)
        for (const what of ["getAll", "getAllKeys"] as const)
          all.push(
            await new Promise((resolve) => {
              const request = database.transaction(store).objectStore(store)[what]();
              request.onsuccess = () => resolve(request.result);
            }),
          );
      database.close();
    }
    return JSON.stringify(all);
  });

test.concurrent.each(asked)("$name", { timeout: 120_000 }, async (screen) => {
  const [size = "desktop"] = sizesOf(screen);
  await seated(screen, size, async (page) => {
    const isFresh = !(await stored(page)).includes(DRAFT);
    const before = await textsOf(page);
    const typed = await type(page);
    expect(await stored(page)).not.toContain(SECRET);
    if (!isFresh || JSON.stringify(before) === JSON.stringify(typed)) return;
    await screen.open({ page, afterwards: [], language: "ru", text: dictionaries.ru });
    await page.getByRole("dialog").getByRole("button", { name: GO_ON }).click(PATIENCE);
    expect(await textsOf(page)).toEqual(typed);
    for (const secret of await page.locator(SECRETS).all()) expect(await secret.inputValue()).toBe("");
    await page.evaluate((name) => indexedDB.deleteDatabase(name), "krug.begun");
  });
});
