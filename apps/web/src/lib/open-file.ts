import { base } from "./base.ts";
import { type Given, saveFile } from "./save-file.ts";

const typed = (content: Blob, name: string) => new File([content], name, { type: "text/plain" });

/** Whether this browser hands config files to apps. */
export const sharesFiles = (): boolean =>
  navigator.canShare?.({ files: [typed(new Blob(["."]), "krug.conf")] }) ?? false;

/** Whether the page does so. In Telegram that program downloads the file instead. */
export const mayOpenFiles = (): boolean => !base && sharesFiles();

/** Offers the file to the phone's own 'open with', or saves it if the phone has none for such files: Android's browsers share no .conf. */
export async function openFile(content: Blob, name: string): Promise<Given> {
  const file = typed(content, name);
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: name });
      return "shared";
    } catch (error) {
      // The person closed the choice: no fallback is needed.
      if (error instanceof DOMException && error.name === "AbortError") return "closed";
    }
  }
  return saveFile(content, name);
}
