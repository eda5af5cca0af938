import type { passkeys as ru } from "../ru/passkeys.ts";

/** Passkeys: the list in the settings, and what the device said. */
export const passkeys: typeof ru = {
  title: "Sign in with a passkey",
  lead: "Your phone or computer recognizes you by fingerprint, face or screen lock, so you type no name and no password. For this it keeps a passkey.",
  none: "No passkeys yet.",
  failed: "Could not load your passkeys",
  times: (added, used) => `Added ${added}, ${used}`,
  used: (age) => `used ${age}`,
  unused: "not used yet",
  elsewhere: (host) => `Works only at ${host}`,
  noPlace:
    "Passkeys cannot be added at this address of the panel: they need https and a name instead of an IP address.",
  otherPlace: (host) => `Passkeys are added at ${host}.`,
  unable: "This browser does not support passkeys.",
  make: "Add a passkey",
  renameOf: (name) => `Rename: ${name}`,
  removeOf: (name) => `Remove: ${name}`,
  rename: "Rename",
  remove: "Remove",
  password: "Password",
  passwordMissing: "Enter your password",
  add: {
    title: "New passkey",
    lead: (host) =>
      `Confirm with your password that it is you. Then your device asks for your fingerprint, face or PIN. The passkey will work at ${host}; on a mirror, use your password.`,
    name: "Name",
    nameHint: "For example 'Phone'. Left empty, it is filled in for you.",
    submit: "Continue",
    working: "Waiting for the device...",
    failed: "Could not add the passkey",
    done: "Passkey added",
  },
  renaming: {
    title: "Name of the passkey",
    missing: "Enter a name",
    submit: "Save",
    working: "Saving...",
    failed: "Could not rename the passkey",
    done: "Name saved",
  },
  removing: {
    title: (name) => `Remove the passkey ${name}?`,
    lead: "It will no longer sign you in. Your password still does. On the device itself, delete the passkey in its password settings.",
    working: "Removing...",
    failed: "Could not remove the passkey",
    done: "Passkey removed",
  },
  enter: "Use a passkey",
  entering: "Waiting for the device...",
  enterFailed: "Could not confirm that it is you",
  device: {
    noneToSignIn:
      "You cancelled, or this device has no passkey. Use your password; you can add a passkey in the settings.",
    noneToEnter: "You cancelled, or this device has no passkey of yours. Enter the code.",
    notMade: "No passkey was added: the device did not recognize you, or you cancelled.",
    already: "This device already has a passkey of yours.",
    failed: "The browser could not use passkeys. Try again, or use another browser.",
  },
};
