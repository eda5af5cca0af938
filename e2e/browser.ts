import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { chromium as installedChromium } from "../scripts/system-packages.mjs";

const SCREENS = {
  phone: { viewport: { width: 360, height: 800 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1440, height: 900 } },
};

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, exceptions and failed requests so far, without expected ones: a journey ends with none. */
  problems(): string[];
  /** From now on ignores matching problems, e.g. the 401 for a wrong password. */
  expectProblem(pattern: RegExp): void;
}

/**
 * The system's Chromium, headless, with its own profile, deleted afterwards. `optimizes`: compiles frequently run code, as
 * people's browsers do. With a new page at every step that costs more than it saves. `names`: hosts whose https is at `port` of this
 * machine.
 */
export function openBrowser({
  optimizes = false,
  names = [],
  port = 443,
}: {
  optimizes?: boolean;
  names?: readonly string[];
  port?: number;
} = {}): Promise<Browser> {
  const executablePath = installedChromium();
  if (!executablePath) throw new Error("Chromium is not installed: apt install chromium-headless-shell");
  return chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), // Chromium's sandbox refuses to run as root
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(names.length === 0
        ? []
        : [`--host-resolver-rules=${names.map((name) => `MAP ${name}:443 127.0.0.1:${port}`).join(",")}`]),
      ...(optimizes ? [] : ["--js-flags=--no-maglev,--no-turbofan"]),
    ],
  });
}

/** For `addInitScript`: the browser saves data, so no page prefetches and runs other screens' code. */
export function savesData() {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } });
}

/** A person with a new browser, on a phone or a desktop. */
export async function visit(
  browser: Browser,
  wish: {
    screen: keyof typeof SCREENS;
    baseURL: string;
    locale?: string;
    colorScheme?: "dark" | "light";
    /** The page may use the panel's service worker, whose answers `route` can't change. */
    worker?: boolean;
  },
): Promise<Visitor> {
  const { screen, baseURL, locale = "ru-RU", colorScheme = "dark", worker = false } = wish;
  const context = await browser.newContext({
    ...SCREENS[screen],
    baseURL,
    locale,
    colorScheme,
    acceptDownloads: true,
    serviceWorkers: worker ? "allow" : "block",
  });
  const problems: string[] = [];
  const expected: RegExp[] = [];
  const note = (problem: string) => {
    if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem);
  };

  context.on("console", (message) => {
    if (message.type() === "error") note(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => note(`exception: ${error.error().stack ?? error.error().message}`));
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "failed";
    // Leaving a page, or cancelling a query, aborts its requests.
    if (reason !== "net::ERR_ABORTED") note(`request: ${request.method()} ${request.url()} ${reason}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400)
      note(`request: ${response.request().method()} ${response.url()} ${response.status()}`);
  });

  return {
    context,
    page: await context.newPage(),
    problems: () => [...problems],
    expectProblem: (pattern) => void expected.push(pattern),
  };
}
