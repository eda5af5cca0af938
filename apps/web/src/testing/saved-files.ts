/** What the page saves from now on, instead of a browser's downloads. */
export function savedFiles(): Blob[] {
  const saved: Blob[] = [];
  URL.createObjectURL = (file) => {
    saved.push(file as Blob);
    return "blob:x";
  };
  URL.revokeObjectURL = () => {};
  return saved;
}
