import { ApiError, api } from "./api.ts";
import { wait } from "./wait.ts";

/** Other uploads may be running, including from this person's other page. */
const TRIES = 4;

/** Uploads a picture that the page holds as a data URL, and returns the id for a message or a claim. */
export async function uploadPicture(dataUrl: string): Promise<string> {
  const [, media = "", base64 = ""] = /^data:([^;,]*)(?:;[^,]*)?,(.*)$/s.exec(dataUrl) ?? [];
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const body = new Blob([bytes], { type: media });
  for (let attempt = 1; ; attempt++) {
    try {
      return (await api("POST /pictures", { body })).id;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "request.large_busy" || attempt === TRIES) throw error;
      await wait(error.retryAfterMs ?? 1000);
    }
  }
}

/** One after the other, in order: a member sends one large request at a time. */
export async function uploadPictures(dataUrls: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const dataUrl of dataUrls) ids.push(await uploadPicture(dataUrl));
  return ids;
}
