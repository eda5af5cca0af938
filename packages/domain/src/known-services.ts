import type { ServiceGroup } from "./service-groups.ts";

/*
 * A starting catalogue: services that members in Russia ask for, with sources that need no key. Nothing is fetched until an admin
 * adds one. The sources are those that the services publish themselves, else the autonomous systems that they announce their
 * networks from.
 *
 * Not checked: this was written without the internet. No list was fetched, and the AS numbers are those known in public registries.
 * An address that is wrong or has moved is refused with its reason when the service is added.
 */

/** When the sources were last looked over. */
export const KNOWN_SERVICES_DATED = "2026-11-28";

export interface KnownService {
  name: string;
  picture: string;
  group: ServiceGroup;
  description: { ru: string; en: string };
  sources: readonly string[];
}

const CLOUDFLARE = ["https://www.cloudflare.com/ips-v4", "https://www.cloudflare.com/ips-v6"];
const FASTLY = ["https://api.fastly.com/public-ip-list"];
const GOOGLE = ["https://www.gstatic.com/ipranges/goog.json"];
/** Facebook, Instagram, WhatsApp and Threads share its networks. */
const META = ["AS32934"];

const known = (
  group: ServiceGroup,
  picture: string,
  name: string,
  [ru, en]: readonly [ru: string, en: string],
  sources: readonly string[],
): KnownService => ({ name, picture, group, description: { ru, en }, sources });

export const KNOWN_SERVICES: readonly KnownService[] = [
  known(
    "video",
    "▶️",
    "YouTube",
    ["Ролики, трансляции, YouTube Music", "Videos, streams, YouTube Music"],
    // Many videos come from machines at people's providers, which are in no list.
    [...GOOGLE, "domain:youtube.com", "domain:googlevideo.com", "domain:ytimg.com"],
  ),
  known("video", "🎬", "Netflix", ["Фильмы и сериалы", "Films and series"], ["AS2906", "AS40027"]),
  known("video", "🎮", "Twitch", ["Трансляции игр", "Game streams"], ["AS46489"]),
  known("video", "🎵", "TikTok", ["Короткие ролики", "Short videos"], ["AS138699", "AS396986"]),
  known(
    "messengers",
    "✈️",
    "Telegram",
    ["Сообщения, звонки, каналы", "Messages, calls, channels"],
    ["https://core.telegram.org/resources/cidr.txt"],
  ),
  known("messengers", "💬", "WhatsApp", ["Сообщения и звонки", "Messages and calls"], META),
  known("messengers", "🎧", "Discord", ["Чаты и голос", "Chats and voice"], ["AS49544", ...CLOUDFLARE]),
  known("social", "📷", "Instagram", ["Лента, истории, Threads", "Feed, stories, Threads"], META),
  known("social", "👥", "Facebook", ["Лента и сообщения", "Feed and messages"], META),
  known("social", "✖️", "X", ["Бывший Twitter", "Formerly Twitter"], ["AS13414"]),
  known("social", "💼", "LinkedIn", ["Работа и деловые связи", "Jobs and contacts"], ["AS14413"]),
  known(
    "social",
    "👽",
    "Reddit",
    ["Форумы; вместе с другими сайтами за Fastly", "Forums; with other sites on Fastly"],
    FASTLY,
  ),
  known("music", "🎶", "Spotify", ["Музыка и подкасты", "Music and podcasts"], ["AS8403"]),
  known(
    "music",
    "🍏",
    "Apple",
    ["Apple Music, App Store, iCloud", "Apple Music, App Store, iCloud"],
    ["AS714", "AS6185"],
  ),
  known(
    "ai",
    "🤖",
    "ChatGPT",
    ["Вместе с другими сайтами за Cloudflare", "With other sites on Cloudflare"],
    CLOUDFLARE,
  ),
  known("ai", "✳️", "Claude", ["Нейросеть Anthropic", "Anthropic's AI"], ["AS399358"]),
  known("ai", "✨", "Gemini", ["Нейросеть Google", "Google's AI"], GOOGLE),
  known("games", "🕹️", "Steam", ["Магазин и игры Valve", "Valve's shop and games"], ["AS32590"]),
  known("games", "🎯", "PlayStation", ["Сеть PlayStation", "PlayStation Network"], ["AS33353"]),
  known("games", "🧱", "Roblox", ["Игры на Roblox", "Games on Roblox"], ["AS22697"]),
  known("games", "⚔️", "Battle.net", ["Игры Blizzard", "Blizzard's games"], ["AS57976"]),
  known("games", "🏆", "Riot Games", ["League of Legends, Valorant", "League of Legends, Valorant"], ["AS6507"]),
  known("work", "🐙", "GitHub", ["Код и Copilot", "Code and Copilot"], ["https://api.github.com/meta"]),
  known("work", "🎥", "Zoom", ["Видеозвонки", "Video calls"], ["https://assets.zoom.us/docs/ipranges/Zoom.txt"]),
  known("work", "📦", "Dropbox", ["Файлы", "Files"], ["AS19679"]),
  known("work", "🔒", "Proton", ["Почта и диск Proton", "Proton Mail and Drive"], ["AS62371"]),
  known("news", "📚", "Wikipedia", ["Википедия и её картинки", "Wikipedia and its pictures"], ["AS14907"]),
  known("news", "📰", "BBC", ["Новости BBC, также на русском", "BBC News"], ["AS2818"]),
  known("other", "💳", "PayPal", ["Оплата", "Payments"], ["AS17012"]),
];
