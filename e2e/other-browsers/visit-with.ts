import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SCREENS } from "./commands.ts";
import { openFirefox } from "./firefox.ts";
import { asVisitor, type OtherVisitor } from "./visitor.ts";
import { openWebKit } from "./webkit.ts";

/**
 * The browsers that Playwright can't drive in their Debian packages: WebKit through its WebDriver, Firefox through Marionette,
 * which has the same commands over a socket (W3C WebDriver, https://www.w3.org/TR/webdriver2).
 */
export const OTHER_BROWSERS = ["WebKit", "Firefox"] as const;
export type OtherBrowser = (typeof OTHER_BROWSERS)[number];

export async function visitWith(
  browser: OtherBrowser,
  { baseURL, screen = "phone" }: { baseURL: string; screen?: keyof typeof SCREENS },
): Promise<OtherVisitor> {
  const folder = mkdtempSync(join(tmpdir(), `krug-${browser}-`));
  const downloads = join(folder, "downloads");
  mkdirSync(downloads);
  const children: ChildProcess[] = [];
  const start = (program: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, LANG: "ru_RU.UTF-8", HOME: folder, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    return child;
  };
  const end = async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const impatience = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(impatience);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const open = browser === "WebKit" ? openWebKit : openFirefox;
    const send = await open({ folder, downloads, start, screen });
    return asVisitor(send, { baseURL, downloads, end });
  } catch (error) {
    await end();
    throw error;
  }
}
