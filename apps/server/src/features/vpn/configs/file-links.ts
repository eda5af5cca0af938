import type { FileBody } from "@krug/contract/endpoint";
import { FILE_LINK_MS } from "@krug/domain/mini-app";
import { isoOf } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { hashOfToken, newToken } from "../../../platform/secret-token.ts";
import { makeConfigChanges } from "./change-config.ts";
import { makeConfigText } from "./config-text.ts";
import * as links from "./file-links-repository.ts";
import { ownConfig, refuseWithoutFile } from "./give-file.ts";
import type { ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import * as repository from "./repository.ts";
import type { ConfigRow, FileLinkRow } from "./table.ts";

/**
 * Links that give one config's file to a program without its member's session, for Telegram's Mini App (ADR 184). Telegram itself may
 * fetch the file before it asks the person. So a file counts as given once both are true: all of it was sent, and they agreed.
 */
export function makeFileLinks(parts: ConfigParts) {
  const { db, transact, clock, auth, members } = parts;
  const changes = makeConfigChanges(parts);
  const textOf = makeConfigText(parts);
  const now = () => clock.now().getTime();

  /** What the link is for, while it and its maker's session are valid. */
  const find = async (token: string): Promise<{ link: FileLinkRow; row: ConfigRow } | null> => {
    const link = await links.findFileLink(db, hashOfToken(token), now());
    const [row] = link === undefined ? [] : await peers.byIds(db, [link.config_id]);
    if (link === undefined || row === undefined || row.deleted_at !== null || row.sealed_private_key === null)
      return null;
    const owner = await members.find(db, row.member_id);
    const sessions = owner?.is_active === 1 ? await auth.aliveSessions(owner.id) : [];
    return sessions.some(({ id }) => id === link.session_id) ? { link, row } : null;
  };

  /** The config's owner has this file: it is current unless something was changed on its way. */
  const deliver = async (tx: Tx, { config_id, token_hash }: FileLinkRow, sentHash: string): Promise<void> => {
    await links.deleteFileLink(tx, token_hash);
    const row = await repository.lockAny(tx, config_id);
    if (row === undefined || row.deleted_at !== null || row.sealed_private_key === null) return;
    if (hashOfToken(await textOf(tx, row)) === sentHash) await changes.noteArrived(tx, row);
  };

  return {
    async make(actor: Actor, id: string, isAccepted: boolean) {
      const row = await ownConfig(parts, actor.memberId, id);
      await refuseWithoutFile(db, row);
      const token = newToken();
      const expires_at = now() + FILE_LINK_MS;
      await transact((tx) =>
        links.insertFileLink(tx, {
          token_hash: hashOfToken(token),
          config_id: id,
          session_id: actor.sessionId,
          is_accepted: isAccepted ? 1 : 0,
          sent_hash: null,
          expires_at,
        }),
      );
      return { token, fileName: `${row.name}.conf`, expiresAt: isoOf(expires_at) };
    },

    /** A link that has ended, or somebody else's, is passed over: the download fails by itself. */
    async accept(actor: Actor, id: string, token: string): Promise<void> {
      await ownConfig(parts, actor.memberId, id);
      await transact(async (tx) => {
        const link = await links.lockFileLink(tx, hashOfToken(token), now());
        if (link?.config_id !== id || link.session_id !== actor.sessionId) return;
        if (link.sent_hash !== null) await deliver(tx, link, link.sent_hash);
        else await links.updateFileLink(tx, link.token_hash, { is_accepted: 1 });
      });
    },

    async open(token: string): Promise<FileBody> {
      const { row } = (await find(token)) ?? refuse("auth.link_invalid", { field: "token" });
      const content = await textOf(db, row);
      const onSent = () =>
        transact(async (tx) => {
          const link = await links.lockFileLink(tx, hashOfToken(token), now());
          if (link === undefined) return;
          const sent_hash = hashOfToken(content);
          if (link.is_accepted === 1) await deliver(tx, link, sent_hash);
          else await links.updateFileLink(tx, link.token_hash, { sent_hash });
        });
      return { fileName: `${row.name}.conf`, content, onSent };
    },

    forgetOld: (): Promise<void> => transact((tx) => links.deleteFileLinksEndedBy(tx, now())),
  };
}
