import type { Clock } from "../../../platform/clock.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import type { Log } from "../../../platform/log.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { ClubSettings, Settings } from "../../club/settings/index.ts";
import type { BotFailure, Trouble } from "./failure.ts";
import * as repository from "./repository.ts";

/** The bot's public state: an optional part that is enabled, or disabled for a reason. */
export type BotState = {
  /** Without @; null until Telegram has answered it. */
  username: string | null;
  /** ms since 1970; null if there is no reason or its start is unknown. */
  since: number | null;
} & (
  | { enabled: true; reason: "unreachable" | "conflict" | "webhook_unreachable" | "starting" | null }
  | { enabled: false; reason: "no_token" | "wrong_token" }
);

export type BotStates = ReturnType<typeof makeBotStates>;

/** The bot's state. It is in the database: one panel talks to Telegram, and all of them show the state. */
export function makeBotStates(parts: {
  db: Db;
  transact: Transact;
  clock: Clock;
  log: Log;
  sealing: Sealing;
  settings: Settings;
  bot: { token: string | null };
}) {
  const { transact, clock, log, settings } = parts;
  const tokenHash = parts.bot.token === null ? null : parts.sealing.hash("telegram-token", parts.bot.token);
  /** What this panel wrote last; it writes again only on a change. */
  let told: string | null = null;

  const read = async (db: Db): Promise<BotState> => {
    if (tokenHash === null) return { enabled: false, username: null, reason: "no_token", since: null };
    const row = await repository.bot(db, tokenHash);
    const { username = null, trouble = null, trouble_since: since = null } = row ?? {};
    if (trouble === "wrong_token") return { enabled: false, username, reason: trouble, since };
    return { enabled: true, username, reason: trouble ?? (username === null ? "starting" : null), since };
  };

  const note = async (username: string | null, trouble: Trouble | null) => {
    if (tokenHash === null) return;
    const now = clock.now().getTime();
    await transact(async (tx) => {
      const before = await repository.bot(tx, tokenHash);
      await repository.writeBot(tx, {
        token_hash: tokenHash,
        username: username ?? before?.username ?? null,
        trouble,
        trouble_since: trouble === null ? null : before?.trouble === trouble ? before.trouble_since : now,
      });
    });
  };

  return {
    read,
    /** Whether members can link with the bot: Telegram has answered its name. */
    isReady: ({ enabled, username }: BotState): boolean => enabled && username !== null,
    /**
     * A linked account is required once there is a bot to link with (decisions, section 8). A token that Telegram refuses counts
     * as none: nobody could link. `club`: the settings, if already read.
     */
    async isRequired(db: Db, club?: ClubSettings): Promise<boolean> {
      const { telegramRequired } = club ?? (await settings.read(db));
      if (!telegramRequired) return false;
      const state = await read(db);
      return state.enabled && state.username !== null;
    },
    /** Another panel runs the bot now. */
    forget(): void {
      told = null;
    },
    /** `limit`: it works, but not as configured. */
    async works(username: string, limit: "webhook_unreachable" | null = null): Promise<void> {
      const state = `${username} ${limit}`;
      if (told === state) return;
      await note(username, limit);
      if (limit === null) log.info({ bot: username }, "the Telegram bot works");
      else log.warn({ bot: username }, "Telegram can't reach the bot's webhook and is asked for messages instead");
      told = state;
    },
    async fails({ kind, reason }: BotFailure): Promise<void> {
      if (told === kind) return;
      await note(null, kind);
      log.warn({ trouble: kind, reason }, "the Telegram bot does not work; it is tried again with growing waits");
      told = kind;
    },
  };
}
