import type { commandsWords as ru } from "./commands-words-ru.ts";

const PASTE = "Paste all of the commands: they create the tunnel and switch it on.";

export const commandsWords: typeof ru = {
  open: "Router or Linux",
  target: "Set up on",
  targets: {
    keenetic: "Keenetic",
    mikrotik: "MikroTik",
    openwrt: "OpenWrt",
    linux: "Linux, wg-quick",
    networkManager: "Linux, NetworkManager",
  },
  none: (target) => `This version of AmneziaWG is not there on ${target}. Choose another server under “Change”.`,
  steps: {
    keenetic: [
      "Install the component “WireGuard VPN” in the system settings. AmneziaWG takes KeeneticOS 5.1 or later.",
      "Open 192.168.1.1/a in a browser and paste the commands line by line. If Wireguard9 is taken, change the number.",
      "The commands leave IPv6 out. If a line is refused, load the file: “Other connections”, “WireGuard”, “Import from a file”.",
    ],
    mikrotik: [
      "This takes RouterOS 7. Open New Terminal in WinBox, or connect by SSH.",
      PASTE,
      "The last line sets the DNS of the whole router. Leave it out to keep yours.",
    ],
    openwrt: ["Install the package wireguard-tools and connect to the router by SSH.", PASTE],
    openwrtAmnezia: [
      "Install AmneziaWG's packages for your version of OpenWrt: github.com/Slava-Shchipunov/awg-openwrt.",
      `Connect to the router by SSH. ${PASTE}`,
    ],
    linux: ["Install wireguard-tools, and resolvconf if your system takes its DNS from there.", PASTE],
    linuxAmnezia: ["Install amneziawg and amneziawg-tools from Amnezia's repository.", PASTE],
    networkManager: [
      "This takes NetworkManager 1.16 or later.",
      "Paste the commands: the tunnel appears in the list of networks.",
    ],
  },
  secret: "They have the device's key: show them to nobody.",
  commands: "Commands",
  copy: "Copy commands",
  failed: "The device's file could not be loaded",
};
