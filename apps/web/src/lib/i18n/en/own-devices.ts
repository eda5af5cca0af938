import { counter } from "@krug/domain/plural";

export const newDevice = {
  wholeInternet: "Together these cover the whole internet: all of the device's traffic goes through the VPN.",
  lead: "Everything is chosen. Create the config, and we'll show you the next step.",
  open: "Set it up myself",
  goOn: "Continue where you left off",
  missing: (what: string) => `Still missing: ${what}`,
  name: "name",
  services: "services",
  dns: "DNS",
  server: "server interface",
};

const devices = counter("en", { one: "device", other: "devices" });

export const find = {
  label: "Find a device by its name",
  none: "No device has this name",
  found: (count: number) => `Found: ${devices(count)}`,
};

export const saved = {
  where: {
    ios: (file: string) => `${file} is saved on the phone. Now open it in the app:`,
    android: (file: string) => `${file} is in your downloads. Now open it in the app:`,
  },
  steps: {
    ios: ["Open WireGuard and press “+”", "“Create from file or archive”, and choose this file", "Turn the tunnel on"],
    android: [
      "Open WireGuard and press “+”",
      "“Import from file or archive”, and choose this file",
      "Turn the tunnel on",
    ],
  },
};

export const thisPhone = {
  install: "Install WireGuard",
  hasApp: "It is installed",
  save: "Download the file for WireGuard",
  again: "Download again",
};

export const samePhone = {
  ios: "Setting up this phone? Press “Download” on the card, then in the app “+” and “Create from file or archive”.",
  android:
    "Setting up this phone? Press “Download” on the card, then in the app “+” and “Import from file or archive”.",
};

export const editDevice = {
  title: (name: string) => `Change ${name}`,
  lead: "The device's key and traffic stay the same.",
  routed: "The server itself switches services: no new file is needed.",
  moves:
    "The device will move and need a new file. The old one works until it connects with the new one, for at most a day.",
  save: "Save",
  saving: "Saving...",
  saved: (name: string) => `${name}: saved`,
  failed: "Could not change the config",
  listsFailed: "Could not load services, DNS and servers",
  fileTitle: "Update the file on the device",
  fileLead: "Saved. Until you update the file, the device works as before.",
  movedLead: (time: string, day: string) =>
    `The device is moving. The old file works until it connects with the new one, or until ${time} on ${day} at the latest.`,
  remove: (name: string) => `Delete the tunnel ${name} in WireGuard`,
  byCode: "Scan the new code",
  byFile: "Open the new file in WireGuard",
  turnOn: "Switch the tunnel on",
  linesLead: "Saved. Only the device has the key, so the panel cannot give you the whole new file.",
  linesDo: "Open the tunnel in WireGuard on the device and replace these lines in it:",
  copy: "Copy",
  orKey: "Or replace the key: you get a new file, and the old one stops working at once.",
  done: "Done",
};

export const handed = {
  leaveText: "The link opens the file once. If you close it now, the administrator has to send a new link.",
  title: "Your config is ready",
  lead: "An admin of the club made it for you. Open it on a device that can save the file: the link works once.",
  open: "Open the config",
  opening: "Opening...",
  failed: "Could not open the config",
  noToken: "The link is incomplete. Open the whole link that was sent to you.",
  usedHint: "The link is valid for 24 hours and works once. Ask an administrator for a new one.",
  once: "Save the file or scan the code now: the link will not open a second time.",
};

export const amnezia = {
  need: "It needs the AmneziaWG or AmneziaVPN app: plain WireGuard cannot open this file.",
  newEnough: "The app must have this version or a newer one: older ones add the tunnel but never connect.",
  get: (app: string, system: string, since: string) => `${app} for ${system}, ${since} or newer`,
  phoneSteps: ["Install AmneziaWG or AmneziaVPN", "Open the config file in it", "Switch the tunnel on"],
  computerSteps: [
    "Install AmneziaWG or AmneziaVPN",
    "Download the config and open it in the app",
    "Switch the tunnel on",
  ],
  linux: "Linux",
  router: "routers",
  orLink: "AmneziaVPN also accepts a link instead of the file. It contains the device's key: show it to nobody.",
  makeLink: "Get the link",
  openLink: "Open in AmneziaVPN",
  copyLink: "Copy the link",
  linkFailed: "Could not get the link",
};

export const otherWay = {
  title: "Another way to connect",
  toAmneziawg:
    "If your network blocks VPNs, move the device to AmneziaWG: such a tunnel is harder to recognise. It needs another app and a new file.",
  toWireguard: "You can move the device to plain WireGuard. It needs that app and a new file.",
  stays: "The current file works until the device connects the new way, for at most two weeks.",
  blocked: "The network seems to block it",
  blockedMore: "No connection for a minute. AmneziaWG is harder to recognise: it needs its own app and a new file.",
  try: "Try another way",
  take: (app: string) => `Move to ${app}`,
  working: "Moving...",
  failed: "Could not move the device",
};

export const serverStates = {
  answers: "answers",
  busy: "nearly full",
  silent: "does not answer",
  more: {
    answers: "the server answers",
    busy: "the server answers, but its interface has few places left",
    silent: "the server does not answer now: the config will work once it is back",
  },
};

export const weather = {
  title: (names: readonly string[], time: string) =>
    `${names.join(", ")} ${names.length === 1 ? "has" : "have"} not answered since ${time}, we are on it`,
  more: "There is nothing to do: your devices will reconnect by themselves.",
};
