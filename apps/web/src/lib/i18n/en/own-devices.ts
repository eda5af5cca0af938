export const firstDevice = {
  lead: "Everything is chosen. Create the config, and we'll show you the next step.",
  open: "Set it up myself",
};
