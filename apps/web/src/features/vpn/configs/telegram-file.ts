import { api } from "../../../lib/api.ts";
import type { Given } from "../../../lib/save-file.ts";
import { knows, post, subscribe } from "../../../lib/telegram-bridge.ts";

/** After this long the link has ended, whatever the program says then. */
const LONGEST_MS = 120_000;

/**
 * Gives a config's file in Telegram's Mini App, whose pages save nothing: Telegram downloads it by a link, or opens the link in the
 * browser if its version downloads none (ADR 184).
 */
export async function giveInTelegram(id: string): Promise<Given> {
  const params = { id };
  const opensIn = knows(8, 0) ? "telegram" : "browser";
  const { token, fileName } = await api("POST /vpn/configs/{id}/file-link", { params, body: { opensIn } });
  const url = `${location.origin}/api/vpn/files/${token}`;
  if (opensIn === "browser") {
    post("web_app_open_link", { url });
    return "saved";
  }
  const agreed = saidYes();
  post("web_app_request_file_download", { url, file_name: fileName });
  if (!(await agreed)) return "closed";
  await api("PUT /vpn/configs/{id}/file-link", { params, body: { token } });
  return "saved";
}

/** What the person answers to Telegram's question. */
const saidYes = (): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isYes: boolean) => {
      stop();
      clearTimeout(timer);
      resolve(isYes);
    };
    const stop = subscribe("file_download_requested", ({ status }) => end(status === "downloading"));
    const timer = setTimeout(end, LONGEST_MS, false);
  });
