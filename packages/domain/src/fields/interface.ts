import { EXIT_LINKS, ROUTINGS } from "../routing-rules.ts";
import type { Fields } from "./field.ts";

/** A tunnel interface, besides its profile and what its machine says of it. */
export const INTERFACE_FIELDS = {
  name: { kind: "text", least: 1, most: 64, edited: true, ru: "название", en: "name" },
  serverId: { kind: "id", column: "server_id", twin: "server_id", ru: "номер сервера", en: "server's id" },
  interfaceName: {
    kind: "text",
    column: "interface_name",
    twin: "interface_name",
    ru: "интерфейс на сервере",
    en: "interface on the server",
  },
  listenPort: {
    kind: "count",
    column: "listen_port",
    twin: "listen_port",
    least: 1,
    most: 65_535,
    edited: true,
    ru: "порт",
    en: "port",
  },
  /** A private IPv4 network; can change only while no address in it is used. */
  subnet: { kind: "text", most: 43, edited: true, ru: "подсеть", en: "subnet" },
  /** Its IPv6 /64; null while IPv6 is off. */
  subnetV6: { kind: "text", column: "subnet_v6", nullable: true, ru: "подсеть IPv6", en: "IPv6 subnet" },
  /** Host name or address without port; null or empty: the server's. */
  endpoint: { kind: "text", nullable: true, most: 253, edited: true, ru: "адрес подключения", en: "endpoint" },
  /** null: the default. IPv6 needs 1280 (RFC 8200, section 5); no network on the internet carries more than an Ethernet frame. */
  mtu: { kind: "count", nullable: true, least: 1_280, most: 1_500, edited: true, ru: "MTU", en: "MTU" },
  isActive: { kind: "flag", column: "is_active", twin: "is_active", edited: true, ru: "активен", en: "active" },
  /** New configs can be made on it; existing ones work either way. */
  takesNew: { kind: "flag", column: "takes_new", edited: true, ru: "новые конфиги", en: "new configs" },
  routing: { kind: "choice", of: ROUTINGS, first: "device", edited: true, ru: "маршрутизация", en: "routing" },
  /** By which exit leaves what a member's services do not name; only if the server routes: as a service's (catalog.ts). */
  restExit: {
    kind: "text",
    column: "rest_exit",
    least: 1,
    most: 36,
    first: "direct",
    edited: true,
    ru: "остальной трафик",
    en: "other traffic",
  },
  /** What happens while an exit does not answer: `wait`, `direct`, or the id of the server to leave by instead. */
  exitDown: {
    kind: "text",
    column: "exit_down",
    least: 1,
    most: 36,
    first: "wait",
    edited: true,
    ru: "если выход не отвечает",
    en: "if the exit does not answer",
  },
  exitLink: {
    kind: "choice",
    column: "exit_link",
    of: EXIT_LINKS,
    first: "wireguard",
    edited: true,
    ru: "туннель к выходам",
    en: "tunnel to exits",
  },
  createdAt: { kind: "moment", column: "created_at", twin: "created_at", ru: "создан", en: "made" },
} as const satisfies Fields;
