/** Shown while the code of something that was opened loads, or why it does not load. */
export const coming = {
  soon: "Opening...",
  silent: "No connection. This opens as soon as it is back.",
  gone: "The panel was upgraded. Reload the page to continue.",
  reload: "Reload",
  failed: "This did not open: something went wrong. Your data is safe.",
};
