import { base } from "./base.ts";

/** What happened to a file: an app took it, it was downloaded, or the person closed the choice of apps. */
export type Given = "shared" | "saved" | "closed";

/** Saves a file on the person's device. */
export function saveFile(content: Blob, name: string): Given {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return "saved";
}

const typed = (content: Blob, name: string) => new File([content], name, { type: "text/plain" });

/** Whether this browser can hand a config file to an app. Otherwise it can only save it; in Telegram, that program does. */
export const mayOpenFiles = (): boolean =>
  !base && (navigator.canShare?.({ files: [typed(new Blob(), "krug.conf")] }) ?? false);

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
