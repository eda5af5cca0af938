/** Gives the person a file to keep. */
export function saveFile(content: Blob, name: string) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Offers the file to the phone's own 'open with', or saves it if the phone has none for such files. */
export async function openFile(content: Blob, name: string) {
  const file = new File([content], name, { type: "text/plain" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: name });
      return;
    } catch (error) {
      // The person closed the choice: nothing to make up for.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  saveFile(content, name);
}
