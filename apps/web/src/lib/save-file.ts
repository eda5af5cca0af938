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
