import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { COMMANDS, type Opening, patiently, SCREENS, type Send } from "./commands.ts";

/** Firefox ESR, headless, through its built-in Marionette. */
export async function openFirefox({ folder, downloads, start, screen }: Opening): Promise<Send> {
  const { width, height } = SCREENS[screen];
  const profile = join(folder, "profile");
  mkdirSync(profile);
  const preferences = {
    "marionette.port": 0,
    "intl.accept_languages": "ru-RU, ru",
    "browser.download.folderList": 2,
    "browser.download.dir": downloads,
    "browser.download.useDownloadDir": true,
    "browser.download.always_ask_before_handling_new_types": false,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "app.update.enabled": false,
    "dom.push.connection.enabled": false,
  };
  writeFileSync(
    join(profile, "user.js"),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(""),
  );
  start(
    "firefox-esr",
    ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile, "about:blank"],
    {
      MOZ_HEADLESS_WIDTH: String(width),
      MOZ_HEADLESS_HEIGHT: String(height),
    },
  );
  const port = await patiently(() => Number(readFileSync(join(profile, "MarionetteActivePort"), "utf8") || Number.NaN));
  const { call } = await marionette(port);
  await call("WebDriver:NewSession", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  const send: Send = async (command, params = {}, element) => {
    const answer = await call(COMMANDS[command][1], {
      ...params,
      ...(element === undefined ? {} : { id: element }),
      ...(command === "execute" ? { sandbox: "default", newSandbox: false } : {}),
      ...(command === "picture" ? { full: false } : {}),
    });
    return answer !== null && typeof answer === "object" && "value" in answer ? answer.value : answer;
  };
  await send("size", { width, height });
  // Its window is never narrower than 500 px; a page may be.
  await call("Marionette:SetContext", { value: "chrome" });
  await call("WebDriver:ExecuteScript", {
    script: `const { style } = gBrowser.selectedBrowser;
      for (const of of ["minWidth", "maxWidth"]) style[of] = arguments[0] + "px";
      for (const of of ["minHeight", "maxHeight"]) style[of] = arguments[1] + "px";`,
    args: [width, height],
  });
  await call("Marionette:SetContext", { value: "content" });
  return send;
}

/** Marionette's transport: `length:JSON`, calls as [0, id, command, params], answers as [1, id, error, result]. */
async function marionette(port: number) {
  const socket: Socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let unread = Buffer.alloc(0);
  let last = 0;
  const waiting = new Map<number, (answer: [unknown, unknown]) => void>();
  socket.on("data", (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    for (;;) {
      const colon = unread.indexOf(":");
      const length = Number(unread.subarray(0, colon).toString());
      if (colon < 0 || unread.length < colon + 1 + length) return;
      const message: unknown = JSON.parse(unread.subarray(colon + 1, colon + 1 + length).toString());
      unread = unread.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue; // its greeting
      waiting.get(message[1])?.([message[2], message[3]]);
      waiting.delete(message[1]);
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const settle of waiting.values()) settle([{ error: "it has ended" }, null]);
  });
  async function call(command: string, params: unknown): Promise<unknown> {
    if (socket.destroyed) throw new Error(`Firefox: ${command}: it has ended`);
    const id = ++last;
    const message = JSON.stringify([0, id, command, params]);
    const answered = new Promise<[unknown, unknown]>((settle) => waiting.set(id, settle));
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [error, result] = await answered;
    if (error) throw new Error(`Firefox: ${command}: ${JSON.stringify(error).slice(0, 500)}`);
    return result;
  }
  return { call };
}
