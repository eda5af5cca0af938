import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.mjs";
import { miniBrowser } from "../../scripts/system-packages.mjs";
import { COMMANDS, type Opening, patiently, SCREENS, type Send } from "./commands.ts";

/** Debian's MiniBrowser with the engine of every iPhone, on its own display, through WebKitWebDriver. */
export async function openWebKit({ folder, downloads, start, screen }: Opening): Promise<Send> {
  // GTK saves into the user's configured folders.
  mkdirSync(join(folder, ".config"));
  writeFileSync(join(folder, ".config", "user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  // Its own window buttons would keep a window from being as narrow as a phone.
  mkdirSync(join(folder, ".config", "gtk-3.0"));
  writeFileSync(
    join(folder, ".config", "gtk-3.0", "gtk.css"),
    "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border: 0; font-size: 1px; -gtk-icon-transform: scale(0); } button, entry, image { -gtk-icon-size: 1px; }\n",
  );
  const { width, height } = SCREENS[screen];
  const display = start("Xvfb", ["-displayfd", "1", "-screen", "0", `${width}x${height + 100}x24`, "-nolisten", "tcp"]);
  const [number] = (await once(display.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const port = await freePort();
  start("WebKitWebDriver", [`--port=${port}`], {
    DISPLAY: `:${String(number).trim()}`,
    LIBGL_ALWAYS_SOFTWARE: "1",
    // Its sandbox needs user namespaces and no root.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  });
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } };
    if (!response.ok) throw new Error(`WebKit: ${path}: ${value?.error}: ${value?.message}`);
    return value as unknown;
  };
  const options = { binary: miniBrowser(), args: ["--automation"] };
  const { sessionId } = (await patiently(() =>
    call("POST", "/session", {
      capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options, acceptInsecureCerts: true } },
    }),
  )) as { sessionId: string };
  const send: Send = (command, params = {}, element = "") => {
    const [method = "", path = ""] = COMMANDS[command][0].split(" ");
    const below = path.replace("{id}", element);
    return call(method, `/session/${sessionId}${below && `/${below}`}`, method === "POST" ? params : undefined);
  };
  await send("size", { width, height });
  return send;
}
