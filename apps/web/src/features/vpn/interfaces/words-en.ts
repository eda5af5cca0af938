import { counter, countText } from "@krug/domain/plural";
import type { GivesWay } from "./words-ru.ts";

const long = (count: number) => countText("en", count);
const configs = counter("en", { one: "config", other: "configs" });
const devices = counter("en", { one: "device", other: "devices" });
const members = counter("en", { one: "member", other: "members" });

const leftDevices = counter("en", { one: "device", other: "devices" });

export const interfaces = {
  list: {
    label: "The server's interfaces",
    server: "Server",
    create: "Create interface",
    name: "Name",
    interfaceName: "Interface",
    port: "Port",
    subnet: "Subnet",
    configs: "Configs",
    configsOf: (count: number, capacity: number) => `${long(count)} of ${long(capacity)}`,
    assigned: "Assigned",
    state: "State",
    nobody: "everyone",
    assignedTo: members,
    none: "This server has no interfaces, so no configs can be created on it.",
    noServers: "No servers yet",
    noServersLead: "Interfaces appear here once the club has a server.",
    failed: "Error loading interface",
    routed: "server decides",
    file: "krug-interfaces",
    endpoint: "Endpoint",
    mtu: "MTU",
  },
  states: {
    on: "Works",
    off: "Switched off",
    conflict: "Did not come up",
    waiting: "Waiting for the server",
    unreachable: "Unreachable",
    seen: "Was up",
  },
  closed: "closed to new configs",
  runsLow: (free: number) => (free === 0 ? "no free addresses" : `free addresses left: ${free}`),
  probe: {
    none: "not checked yet, we check every minute",
    answers: (since: string) => `has answered from outside since ${since}`,
    inside: (since: string) => `has answered since ${since}, checked only from inside`,
    closed: (port: number, since: string) =>
      `No answer from outside since ${since}: a firewall or the provider blocks UDP port ${port}. Open it on the server and at the provider.`,
    closedInside: (port: number, since: string) =>
      `No answer since ${since}, even from inside: this machine's firewall blocks UDP port ${port}. Open it there.`,
    notRunning: (port: number, since: string) =>
      `No answer since ${since}: nothing listens on UDP port ${port}. The panel will bring the tunnel up; if it is running, a firewall blocks it.`,
    unresolved: (since: string) => `DNS has not known the name in the endpoint since ${since}. Check it.`,
    untried: (since: string) =>
      `It could not be checked since ${since}: the panel has no route to this address, or its DNS does not answer.`,
    away: (since: string) => `No answer since ${since}, and none from the server either.`,
  },
  narrow: {
    title: (name: string, path: number) =>
      `${name}: this server's path carries ${path} bytes at a time, and the MTU is larger`,
    more: (mtu: number) =>
      `Large packets are fragmented or lost: pages open slowly or only in part. An MTU of ${mtu} fits.`,
    old: (count: number) => `The file becomes outdated on ${devices(count)}: owners will see 'Download again'.`,
    set: (mtu: number) => `Set MTU to ${mtu}`,
    done: (name: string, mtu: number) => `${name}: MTU ${mtu}`,
  },
  conflictMore: "The server could not bring it up:",
  actions: {
    rename: "Rename",
    edit: "Edit",
    assign: "Assign to a member",
    remove: "Delete",
  },
  rename: {
    field: (name: string) => `New name: ${name}`,
    confirm: "Save the name",
    cancel: "Keep the name",
    done: (name: string) => `It is called ${name} now`,
    empty: "The name cannot be empty",
  },
  create: {
    title: "New interface",
    lead: "It gets the next free name, port and subnet on the server and works at once.",
    name: "Name (optional)",
    size: "Room for devices",
    devices: leftDevices,
    ipv6: "IPv6",
    ipv6Hint: "Devices get an IPv6 address as well. Switch it on if the server itself has IPv6.",
    ipv6Only:
      "This server's address is IPv6. If it has no IPv4, nothing opens through the VPN without this, and with it only sites that have IPv6.",
    mtuAmnezia: (path: number | null) =>
      path !== null && path < 1_500
        ? `This server's path carries ${path} bytes at a time. Empty: the value that fits the disguise.`
        : "Empty: the value that fits the disguise.",
    submit: "Create",
    working: "Creating...",
    done: (name: string) => `${name}: created`,
    notUp: (name: string) => `${name}: created, but not up yet`,
  },
  moveIn: {
    title: "Import an interface",
    offerLead: "Do devices already work with another program? Their files stay as they are.",
    offer: "Import one from wg-quick, AmneziaVPN or wg-easy",
    lead: "Keys and addresses stay as they are, so devices that are set up keep working. Take a server file of WireGuard or AmneziaWG (wg0.conf, awg0.conf) from /etc/wireguard, /etc/amnezia, an AmneziaVPN container or wg-easy, the wg0.json of wg-easy up to version 14, or the wg-easy.db of version 15 (stop it first). AmneziaVPN keeps devices' names next to it, in clientsTable: choose both files at once.",
    choose: "Choose a file",
    paste: "Or paste its text",
    pasteHint: "The file has the server's secret key. The panel keeps it encrypted and never shows it again.",
    read: "Read",
    reading: "Reading...",
    notRead: "The file was not read",
    runs: (name: string) =>
      `This interface runs on the server as ${name}. The panel takes it over: chosen devices stay connected.`,
    stands: "It does not run on this server now",
    standsMore: (address: string | null) =>
      `Stop the other program. The address that devices connect to must lead ${address === null ? "to this server" : `here: ${address}`}.`,
    type: "Kind of tunnel",
    typeOpen:
      "wg-easy's database does not say whether the tunnel was AmneziaWG. Choose it if devices connected by AmneziaWG.",
    faults: "Parameters are imported as they are, but harm the tunnel",
    subnet: "Subnet",
    givesWay: ({ name, subnet, port }: GivesWay) =>
      `${name} is empty and gives way: instead of ${[subnet && `the subnet ${subnet.from}`, port && `the port ${port.from}`].filter(Boolean).join(" and ")} it gets ${[subnet && `the subnet ${subnet.to}`, port && `the port ${port.to}`].filter(Boolean).join(" and ")}.`,
    ignored: "Not imported",
    unread: "Not read",
    unreadOne: ({ line, field }: { line: number | null; field: string }) =>
      [line === null ? "" : `line ${line}`, field].filter(Boolean).join(": "),
    portHint: "The one that devices connect to.",
    owner: "Member",
    ownerHint: "Empty: the device is not imported.",
    name: "Config name",
    nameWrong: "1 to 15 characters: Latin letters, digits, hyphen and underscore",
    kind: "Kind of device",
    phone: "Phone",
    computer: "Computer",
    noKey: "Only the device has its key: “Replace key” gives it a new file.",
    wasOff: "It was switched off and stays off. The list of configs can switch it on.",
    endsAt: (day: string) => `The other program limited it to ${day}. It keeps that end date.`,
    losesV6: "Its IPv6 address will stop working.",
    strange: {
      address: "Not imported: its address is the server's own, or outside the subnet.",
      networks: "Not imported: it routes a whole network, or has no address.",
      twice: "Not imported: its key is the server's own.",
      replaced: "Not imported: the file gives its address to a later device, and it no longer connects.",
      unreadable: "Not imported: its address or key in the file is wrong.",
      key_taken: "Not imported: the club already has this key.",
    },
    cut: (count: number) => `Without a valid subscription, cut off at once: ${count}`,
    left: (count: number) => `Not imported, and no longer connecting: ${leftDevices(count)}.`,
    more: (count: number) => `Show more: ${count}`,
    take: (count: number) => (count === 0 ? "Import" : `Import: ${count}`),
    taking: "Importing...",
    done: (name: string, count: number) => `${name}: imported with ${configs(count)}`,
    failed: "The interface was not imported",
  },
  edit: {
    title: (name: string) => `Edit: ${name}`,
    name: "Name",
    nameEmpty: "The name cannot be empty",
    port: "UDP port",
    portWrong: "A whole number from 1 to 65535",
    subnet: "Subnet",
    subnetHint: "A private IPv4 network from /16 to /29. After the first config it cannot be changed.",
    subnetFixed: (count: number) => `The subnet cannot be changed: there are ${configs(count)} in it.`,
    ipv6: "IPv6",
    ipv6Hint: "Switch it on if the server itself has IPv6. It cannot be changed after the first config.",
    ipv6Fixed: (subnet: string | null) =>
      subnet === null ? "It can be switched on only while there are no configs." : `Subnet ${subnet}`,
    subnetWrong: "A private IPv4 network from /16 to /29, e.g. 10.8.3.0/24",
    endpoint: "Endpoint",
    endpointHint: (address: string | null) =>
      address === null
        ? "A host name or IP address without a port."
        : `A host name or IP address without a port. Empty: the server's, ${address}.`,
    endpointWrong: "A host name or IP address without a port, e.g. vpn.example.org",
    mtu: "MTU",
    mtuHint: (usual: number) => `Empty: ${usual}, which suits nearly everyone.`,
    mtuNarrow: (path: number, mtu: number, isNew = false) =>
      `This server's path carries ${path} bytes at a time. ${isNew ? `Empty: ${mtu}` : `${mtu} fits`}.`,
    mtuWrong: "A whole number from 1280 to 1500",
    takesNew: "Open to new configs",
    takesNewHint: "Existing ones keep working either way.",
    routing: "Who decides what goes through the VPN",
    routings: { device: "The file on the device", server: "The server" },
    routingHints: {
      device: "The file holds the services’ addresses: after a change it has to be downloaded again.",
      server:
        "The file sends everything to the server, which lets out the chosen services. Members switch them on the card without a new file, and a phone may have any number of addresses.",
    },
    restExit: "Other traffic than the chosen services",
    exitDown: "If the exit does not answer",
    exitLink: "Tunnel to exits",
    restHints: {
      direct: "Whatever the chosen services do not name leaves for the internet from this server.",
      closed: "While the VPN is on, only the chosen services open on the device.",
      other: "Whatever the chosen services do not name leaves for the internet from that server.",
    },
    active: "The interface is on",
    activeHint: "When it is off, it is removed from the server; its configs and addresses are kept.",
    download: (count: number) => `The file becomes outdated on ${devices(count)}`,
    downloadMore: "Their owners will see “Download again”.",
    downloadOnce: "They download it once: after that, services change without a new file.",
    downloadPort: "With the old file they will not connect. Their owners will see “Download again”.",
    cut: (count: number) => `Cut off at once: ${configs(count)}`,
    cutMore: "They are back when the interface is switched on again.",
    conflict: "While you were editing, a colleague changed the interface",
    byDefault: "the default",
  },
  remove: {
    title: (name: string) => `Delete: ${name}?`,
    empty: "There are no configs on it. Its port and subnet become free.",
    lead: "The interface cannot be restored. Lost at once:",
    configs: (count: number) => `${configs(count)} with their keys: these devices are cut off`,
    assigned: (count: number) => `the assignment to ${members(count)}`,
    whose: "Cut off:",
    andMore: (count: number) => `and ${configs(count)} more`,
    leaving: (count: number) =>
      `Still connected with the old file from here: ${leftDevices(count)}. They are cut off until their owner downloads the new file.`,
    type: (name: string) => `To delete, type the name: ${name}`,
    changed: (count: number) =>
      `While you were reading, the number changed: ${configs(count)} now. Check and confirm again.`,
    confirm: "Delete",
    confirmForever: "Delete permanently",
    working: "Deleting...",
    done: (name: string) => `${name}: deleted`,
  },
  reach: {
    action: "Connection history",
    title: (name: string) => `Connection history: ${name}`,
    gone: (since: string) => `Devices went offline all at once: ${since}`,
    goneMore: "The server itself answers. Networks seem to block this tunnel: new AmneziaWG parameters help.",
    span: "Time span",
    day: "24 hours",
    month: "30 days",
    loading: "Loading...",
    failed: "Could not load the connection history",
    none: "Nothing to show yet. The panel counts devices every 5 minutes.",
    devices: "Devices",
    online: (count: string, at: string) => `online: ${count} (${at})`,
    expected: (count: string) => `online within a day: ${count}`,
    of: (online: string, expected: string) => `${online} of ${expected} online`,
    unknown: "no data",
    explained: "A block shows as a sudden drop: few devices are online, though many were within the day.",
    gaps: "Gaps: the interface was off, the server did not answer, or the panel did not run.",
  },
  failures: {
    create: "Error creating interface",
    update: "Error updating interface",
    remove: "Error deleting interface",
    assign: "Error assigning interface",
  },
};
