/** While the code of something that was opened is on its way, and why it does not come. */
export const coming = {
  soon: "Opening...",
  silent: "No connection. This opens as soon as it is back.",
  gone: "The panel was upgraded. Reload the page to continue.",
  reload: "Reload",
  failed: "This did not open: something went wrong. Your data is safe.",
};
