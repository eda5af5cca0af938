import { counter } from "@krug/domain/plural";
import type { unknownPeers as ru } from "./words-ru.ts";

const devices = counter("en", { one: "device", other: "devices" });
const are = counter("en", { one: "device is", other: "devices are" });

export const unknownPeers: typeof ru = {
  banner: (count) => `${are(count)} not in the backup`,
  bannerMore: "They are connected and keep working. Say whose they are, or disconnect them.",
  show: "Show",
  title: "Devices that are not in the backup",
  lead: "They were created after the backup that the club was restored from. They are connected but have no owner: their traffic counts for nobody. Keep those whose owners you know; only the device has the key.",
  failed: "The devices could not be loaded",
  loading: "Loading...",
  none: "There are no more such devices.",
  more: (shown, total) => `${shown} of ${total} are shown. The others appear once you have decided about these.`,
  place: (name, server) => `${name} · ${server}`,
  key: (start) => `key ${start}…`,
  seen: (age) => `online: ${age}`,
  neverSeen: "not online yet",
  bytes: (received, sent) => `received ${received}, sent ${sent}`,
  rival: {
    key: (name, login) =>
      `According to the backup, the device “${name}” (${login}) has this key: it was moved. Delete that one, or disconnect this one.`,
    address: (name, login) =>
      `According to the backup, the device “${name}” (${login}) has this address: it waits for your decision.`,
  },
  keep: "Keep",
  keepOf: (address) => `Keep ${address}`,
  cut: "Disconnect",
  cutOf: (address) => `Disconnect ${address}`,
  cutting: "Disconnecting...",
  cutAll: (count) => `Disconnect all: ${count}`,
  askAll: (count) => `Disconnect ${devices(count)}?`,
  askAllMore: "Their VPN stops working, and they cannot be brought back: only the devices have the keys.",
  askOne: (address) => `Disconnect ${address}?`,
  askOneMore: "Its VPN stops working, and it cannot be brought back: only the device has the key.",
  cutFailed: "Could not disconnect",
  cutDone: (count) => `Disconnected: ${count}`,
  keepTitle: (address) => `Whose device is ${address}?`,
  owner: "Owner",
  ownerHint: "Name or username",
  chooseOwner: "Choose a member",
  name: "Name",
  nameWrong: "1–64 Latin letters, digits, “-” and “_”",
  kind: "Kind of device",
  phone: "Phone",
  computer: "Computer",
  keepNote: "It keeps the same key and address. To get its file here, the owner needs a new key.",
  working: "Saving...",
  keepFailed: "The device could not be kept",
  keepDone: (name) => `The device ${name} was kept`,
  close: "Close",
};
