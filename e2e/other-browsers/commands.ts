import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";

/** One command of WebDriver and its answer's `value`. */
export type Send = (command: Command, params?: Record<string, unknown>, element?: string) => Promise<unknown>;
type Command = keyof typeof COMMANDS;

/** Each command's names: method and path below the session, and Marionette's. */
export const COMMANDS = {
  goTo: ["POST url", "WebDriver:Navigate"],
  refresh: ["POST refresh", "WebDriver:Refresh"],
  execute: ["POST execute/sync", "WebDriver:ExecuteScript"],
  click: ["POST element/{id}/click", "WebDriver:ElementClick"],
  clear: ["POST element/{id}/clear", "WebDriver:ElementClear"],
  type: ["POST element/{id}/value", "WebDriver:ElementSendKeys"],
  actions: ["POST actions", "WebDriver:PerformActions"],
  picture: ["GET screenshot", "WebDriver:TakeScreenshot"],
  size: ["POST window/rect", "WebDriver:SetWindowRect"],
  end: ["DELETE ", "WebDriver:DeleteSession"],
} as const;

export const SCREENS = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };

/** What opens a browser: a new profile in `folder`, and a function that starts processes which end with it. */
export interface Opening {
  folder: string;
  downloads: string;
  start(program: string, args: string[], env?: Record<string, string>): ChildProcess;
  screen: keyof typeof SCREENS;
}

const PATIENCE_MS = 60_000;

/** Retries until it no longer throws. */
export async function patiently<T>(ask: () => T | Promise<T>, patience = PATIENCE_MS): Promise<T> {
  for (const deadline = Date.now() + patience; ; await wait(100)) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
