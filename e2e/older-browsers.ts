/**
 * What browsers have learnt since Chrome 109, Firefox 115 and Safari 15.6 (ADR 120) and a page might use, from MDN's
 * browser-compat-data 8.1.9. Not `Element.checkVisibility`, which Playwright needs. `Array.with` is a method of arrays,
 * `URL.canParse()` one of URL itself.
 */
const NEWER = `
AbortSignal.any() AbortSignal.timeout()
Array.fromAsync() Array.toReversed Array.toSorted Array.toSpliced Array.with ArrayBuffer.resize ArrayBuffer.transfer
AsyncDisposableStack Blob.bytes Clipboard.read Clipboard.readText Clipboard.write ClipboardItem CloseWatcher CompressionStream
CookieStore DecompressionStream DisposableStack Document.adoptedStyleSheets Document.caretPositionFromPoint
Document.startViewTransition Element.ariaLabel Element.computedStyleMap Element.getHTML
Element.moveBefore Element.requestFullscreen Element.role Element.scrollIntoViewIfNeeded Element.setHTML
Element.setHTMLUnsafe ElementInternals Float16Array HTMLDialogElement.requestClose HTMLElement.attributeStyleMap
HTMLElement.hidePopover HTMLElement.popover HTMLElement.showPopover HTMLElement.togglePopover HTMLFormElement.requestSubmit
HTMLInputElement.popoverTargetElement HTMLInputElement.showPicker HTMLSelectElement.showPicker Highlight IDBFactory.databases
Intl.DurationFormat Intl.Segmenter Iterator Map.groupBy() Map.getOrInsert Map.getOrInsertComputed Navigation
Navigator.connection Navigator.getInstalledRelatedApps Navigator.setAppBadge Navigator.userActivation Navigator.userAgentData
Navigator.vibrate Navigator.wakeLock Object.groupBy() Observable Promise.try() Promise.withResolvers() ReadableStream.from()
ReadableStream.values RegExp.escape() Request.bytes Request.duplex Response.bytes Response.json() Scheduler Selection.direction
Set.difference Set.intersection Set.isDisjointFrom Set.isSubsetOf Set.isSupersetOf Set.symmetricDifference Set.union
String.isWellFormed String.toWellFormed TrustedHTML TypedArray.toReversed TypedArray.toSorted TypedArray.with URL.canParse()
URL.parse() URLPattern URLSearchParams.size Uint8Array.fromBase64() Uint8Array.toBase64 Uint8Array.toHex ViewTransition
Window.cancelIdleCallback Window.cookieStore Window.documentPictureInPicture Window.fetchLater Window.navigation
Window.requestIdleCallback Window.scheduler Window.showDirectoryPicker Window.showOpenFilePicker Window.showSaveFilePicker
`
  .trim()
  .split(/\s+/);

/** For `addInitScript`: removes all of these from this page's browser. Returns nothing. Those that the browser lacks anyway are ignored. */
export const OLDER_BROWSER = `for (const path of ${JSON.stringify(NEWER)}) {
  const [name, member] = path.split(".");
  const its = name === "TypedArray" ? Object.getPrototypeOf(Uint8Array) : globalThis[name];
  if (member === undefined) delete globalThis[name];
  else if (member.endsWith("()")) delete its?.[member.slice(0, -2)];
  else {
    delete its?.prototype?.[member];
    if (name === "Window") delete globalThis[member];
  }
}
// Its methods belong to every iterator.
for (const name of ["drop", "every", "filter", "find", "flatMap", "forEach", "map", "reduce", "some", "take", "toArray"])
  delete Object.getPrototypeOf(Object.getPrototypeOf([].values()))[name];
`;
