// Made from the contract by `npx vitest run --project rules client-source --update`; changes here are lost.

/** What every call may take besides its own parts. */
export interface Manner {
  signal?: AbortSignal;
  /** How long the whole answer may take; 30 s by default. */
  timeoutMs?: number;
  /** The same key makes a repeated creation safe, where the call's description says so. */
  idempotencyKey?: string;
}

/** A page of a list. `next` goes into the next call's `query.cursor`; null on the last page. */
export interface Page<Rows> {
  rows: Rows;
  next: string | null;
  /** Of the whole list; null where the panel does not count it. */
  total: number | null;
}

/** Every call that an API token can reach. */
export interface Calls {
  auth: {
    /**
     * Who is signed in.
     * `GET /auth/me`, scope `profile:read`.
     */
    me(wish?: Manner): Promise<{ id: string; username: string; displayName: string; role: "user" | "moderator" | "admin"; pendingRole: "user" | "moderator" | "admin" | null; isActive: boolean; isVip: boolean; isUnlimited: boolean; vpnConfigLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; subscriptionEnd: string | null; createdAt: string; display_name: string; is_active: 0 | 1; is_vip: 0 | 1; is_unlimited: 0 | 1; vpn_config_limit: number; subscription_end: string | null; created_at: string; isTrial: boolean; isByReferral: boolean; graceUntil: string | null; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null }; hasAcceptedRules: boolean; telegramConnected: boolean; inviteCode: string | null; invite_code: string | null }>;
  };
  members: {
    /**
     * Members, by name; a moderator's answer leaves out VIP members.
     * `GET /users`, scope `members:read`.
     */
    list(wish?: { query?: { limit?: number; cursor?: string; q?: string; skip?: number; spare?: number; state?: "all" | "active" | "blocked"; ends?: "any" | "soon" | "ended" | "trial" | "unlimited"; role?: "user" | "moderator" | "admin"; devices?: "any" | "online" | "full"; group?: string; sort?: "name" | "subscription" | "lastHandshake" | "monthBytes" | "createdAt"; order?: "asc" | "desc"; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; username: string; displayName: string; role: "user" | "moderator" | "admin"; pendingRole: "user" | "moderator" | "admin" | null; isActive: boolean; isVip: boolean; isUnlimited: boolean; vpnConfigLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; subscriptionEnd: string | null; createdAt: string; display_name: string; is_active: 0 | 1; is_vip: 0 | 1; is_unlimited: 0 | 1; vpn_config_limit: number; subscription_end: string | null; created_at: string; isTrial: boolean; isByReferral: boolean; graceUntil: string | null; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null }; hasAcceptedRules: boolean; telegramConnected: boolean; inviteCode: string | null; invite_code: string | null; configCount: number; lastHandshake: number | null; monthBytes: number; noteCount: number; groups: Array<{ id: string; name: string }> }>>>;
    /**
     * How many members match the filters and how many of them are blocked.
     * `GET /admin/users/counts`, scope `members:read`.
     */
    counts(wish?: { query?: { q?: string; ends?: "any" | "soon" | "ended" | "trial" | "unlimited"; role?: "user" | "moderator" | "admin"; devices?: "any" | "online" | "full"; group?: string; as?: "moderator" } } & Manner): Promise<{ all: number; active: number; blocked: number }>;
    /**
     * All that staff see of a member: usage, inviter, sessions and what staff did.
     * `GET /admin/users/{id}`, scope `members:read`.
     * Refused with: member.not_found.
     */
    file(wish: { params: { id: string }; query?: { as?: "moderator" } } & Manner): Promise<{ member: { id: string; username: string; displayName: string; role: "user" | "moderator" | "admin"; pendingRole: "user" | "moderator" | "admin" | null; isActive: boolean; isVip: boolean; isUnlimited: boolean; vpnConfigLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; subscriptionEnd: string | null; createdAt: string; display_name: string; is_active: 0 | 1; is_vip: 0 | 1; is_unlimited: 0 | 1; vpn_config_limit: number; subscription_end: string | null; created_at: string; isTrial: boolean; isByReferral: boolean; graceUntil: string | null; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null }; hasAcceptedRules: boolean; telegramConnected: boolean; inviteCode: string | null; invite_code: string | null; configCount: number; lastHandshake: number | null; monthBytes: number; noteCount: number; groups: Array<{ id: string; name: string }> }; quota: { bytes: number; used: number; atEnd: "tell" | "slow" | "cut"; slowMbit: number | null; resetsAt: string } | null; invitedBy: { id: string; username: string; displayName: string } | null; joinedBy: "friend" | "staff_code" | "added"; template: string | null; hasPassword: boolean; twoFactorEnabled: boolean; passkeyCount: number; sessions: Array<{ id: string; createdAt: string; lastSeenAt: string; device: string | null }>; history: Array<{ at: string; action: "member.added" | "member.changed" | "member.deleted" | "member.password_link" | "member.password_reset" | "member.sessions_ended" | "member.left_staff" | "member.quota_reset" | "member.extension_undone" | "note.added" | "note.deleted" | "two_factor.enabled" | "two_factor.disabled" | "two_factor.reset" | "two_factor.codes_renewed" | "two_factor.recovery_used" | "two_factor.locked" | "passkey.added" | "passkey.renamed" | "passkey.removed" | "passkey.reset" | "passkey.copied" | "api_token.made" | "api_token.revoked" | "payment.status_set" | "payment.undone" | "payment.claim_declined" | "payment.settings_changed" | "invite.added" | "invite.changed" | "invite.deactivated" | "template.added" | "template.changed" | "template.deleted" | "group.added" | "group.changed" | "group.deleted" | "config.handed_over" | "config.link_made" | "config.link_revoked" | "config.link_opened" | "config.lost" | "config.deleted" | "config.moved_in" | "config.moved" | "config.blocked" | "config.unblocked" | "config.reactivated" | "config.end_changed" | "config.services_chosen" | "service.added" | "service.changed" | "service.deleted" | "service.list_accepted" | "service.list_refused" | "service.list_brought_back" | "dns.added" | "dns.changed" | "dns.deleted" | "rule.added" | "rule.deleted" | "server.added" | "server.changed" | "server.host_key_accepted" | "server.password_changed" | "server.setup_started" | "server.setup_completed" | "server.import_begun" | "server.import_reversed" | "server.import_kept" | "server.set_main" | "server.emptying_started" | "server.emptied" | "interface.emptying_started" | "interface.emptied" | "server.deleted" | "server.assigned" | "server.unassigned" | "interface.added" | "interface.moved_in" | "interface.changed" | "interface.deleted" | "interface.assigned" | "interface.unassigned" | "inbox.message_sent" | "support.answered" | "support.ticket_changed" | "support.waiting_set" | "support.conversation_assigned" | "support.hands_freed" | "answer_template.added" | "answer_template.changed" | "answer_template.deleted" | "webhook.added" | "webhook.changed" | "webhook.secret_replaced" | "webhook.switched_off" | "webhook.deleted" | "security.changed" | "telegram.changed" | "telegram.staff_confirmed" | "settings.changed" | "maintenance.switched" | "system.backup_taken" | "system.taken_over" | "config.taken_in" | "interface.unknown_disconnected" | "system.wipe_simulated"; by: { id: string; username: string; displayName: string } | null; before: Record<string, unknown> | null; after: Record<string, unknown> | null }> }>;
    /**
     * Block, unblock or write to many members at once, extend their subscriptions, set their config limit, or put them into or out of a group; returns who was left out and why. An Idempotency-Key header makes a repeated request safe.
     * `POST /admin/users/bulk`, scope `members:write`.
     * Refused with: request.idempotency_mismatch, group.unknown, template.unknown.
     */
    changeMany(wish: { body: { ids: string[]; action: "block" | "unblock" | "extend" | "message" | "join" | "leave" | "limit" | "template"; groupId?: string; templateId?: string; vpnConfigLimit?: number; message?: string; blockConfigs?: boolean | 0 | 1 | "0" | "1"; days?: number; amount?: string | number | null; act?: string } } & Manner): Promise<{ changed: string[]; refused: Array<{ id: string; code: string; message: string }> }>;
    /**
     * The same for all members that match the filters, some at a time: repeat with `after` from the answer until it is null.
     * `POST /admin/users/bulk/matching`, scope `members:write`.
     * Refused with: request.idempotency_mismatch, group.unknown, template.unknown.
     */
    changeMatching(wish: { body: { matching: { q?: string; state?: "all" | "active" | "blocked"; ends?: "any" | "soon" | "ended" | "trial" | "unlimited"; role?: "user" | "moderator" | "admin"; devices?: "any" | "online" | "full"; group?: string }; after: string | null; action: "block" | "unblock" | "extend" | "message" | "join" | "leave" | "limit" | "template"; groupId?: string; templateId?: string; vpnConfigLimit?: number; message?: string; blockConfigs?: boolean | 0 | 1 | "0" | "1"; days?: number; amount?: string | number | null; act?: string } } & Manner): Promise<{ changed: number; refused: Array<{ id: string; username: string; displayName: string; code: string; message: string }>; after: string | null }>;
    /**
     * Undo what you extended with this `act` in the last 10 seconds, some members at a time: repeat with `after` from the answer until it is null; returns who stays as they are and why.
     * `POST /admin/users/undo`, scope `members:write`.
     * Refused with: undo.nothing, undo.too_late.
     */
    undo(wish: { body: { act: string; after?: string | null } } & Manner): Promise<{ undone: number; refused: Array<{ id: string; username: string; displayName: string; code: string; message: string }>; after: string | null }>;
    /**
     * Add a member; returns a one-time link for setting the password.
     * `POST /users`, scope `members:write`.
     * Refused with: member.username_invalid, member.username_taken, member.display_name_invalid, member.subscription_in_past, template.unknown.
     */
    add(wish: { body: { username: string; displayName?: string; role?: "user" | "moderator" | "admin"; subscriptionEnd?: string | null; vpnConfigLimit?: number; templateId?: string | null } } & Manner): Promise<{ user: { id: string; username: string; displayName: string; role: "user" | "moderator" | "admin"; pendingRole: "user" | "moderator" | "admin" | null; isActive: boolean; isVip: boolean; isUnlimited: boolean; vpnConfigLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; subscriptionEnd: string | null; createdAt: string; display_name: string; is_active: 0 | 1; is_vip: 0 | 1; is_unlimited: 0 | 1; vpn_config_limit: number; subscription_end: string | null; created_at: string; isTrial: boolean; isByReferral: boolean; graceUntil: string | null; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null }; hasAcceptedRules: boolean; telegramConnected: boolean; inviteCode: string | null; invite_code: string | null }; link: string; expiresAt: string }>;
    /**
     * One member: yourself, or anyone for staff.
     * `GET /users/{id}`, scope `members:read`.
     * Refused with: member.not_found.
     */
    show(wish: { params: { id: string } } & Manner): Promise<{ id: string; username: string; displayName: string; role: "user" | "moderator" | "admin"; pendingRole: "user" | "moderator" | "admin" | null; isActive: boolean; isVip: boolean; isUnlimited: boolean; vpnConfigLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; subscriptionEnd: string | null; createdAt: string; display_name: string; is_active: 0 | 1; is_vip: 0 | 1; is_unlimited: 0 | 1; vpn_config_limit: number; subscription_end: string | null; created_at: string; isTrial: boolean; isByReferral: boolean; graceUntil: string | null; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null }; hasAcceptedRules: boolean; telegramConnected: boolean; inviteCode: string | null; invite_code: string | null }>;
    /**
     * Change a member's role, state, limit or subscription.
     * `PUT /users/{id}`, scope `members:write`.
     * Refused with: member.not_found, member.last_admin, member.display_name_invalid, member.subscription_in_past, member.changed_meanwhile.
     */
    change(wish: { params: { id: string }; body?: { role?: "user" | "moderator" | "admin"; isActive?: boolean | 0 | 1 | "0" | "1"; isVip?: boolean | 0 | 1 | "0" | "1"; isUnlimited?: boolean | 0 | 1 | "0" | "1"; vpnConfigLimit?: number; quotaBytes?: number | null; quotaAtEnd?: "tell" | "slow" | "cut"; quotaSlowMbit?: number; speedMbit?: number | null; subscriptionEnd?: string | null; displayName?: string; blockConfigs?: boolean | 0 | 1 | "0" | "1"; resetQuota?: boolean | 0 | 1 | "0" | "1"; expected?: { displayName?: string; role?: "user" | "moderator" | "admin"; isActive?: boolean; isVip?: boolean; isUnlimited?: boolean; vpnConfigLimit?: number; quotaBytes?: number | null; quotaAtEnd?: "tell" | "slow" | "cut"; quotaSlowMbit?: number; speedMbit?: number | null; subscriptionEnd?: string | null } } } & Manner): Promise<{ id: string; username: string; displayName: string; role: "user" | "moderator" | "admin"; pendingRole: "user" | "moderator" | "admin" | null; isActive: boolean; isVip: boolean; isUnlimited: boolean; vpnConfigLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; subscriptionEnd: string | null; createdAt: string; display_name: string; is_active: 0 | 1; is_vip: 0 | 1; is_unlimited: 0 | 1; vpn_config_limit: number; subscription_end: string | null; created_at: string; isTrial: boolean; isByReferral: boolean; graceUntil: string | null; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null }; hasAcceptedRules: boolean; telegramConnected: boolean; inviteCode: string | null; invite_code: string | null }>;
  };
  groups: {
    /**
     * The groups of members, by name; a moderator's counts leave out VIP members.
     * `GET /admin/groups`, scope `members:read`.
     */
    list(wish?: { query?: { as?: "moderator" } } & Manner): Promise<Array<{ id: string; name: string; interfaces: string[]; memberCount: number; ruleCount: number; createdAt: string }>>;
    /**
     * Add a group of members.
     * `POST /admin/groups`, scope `members:write`.
     * Refused with: group.too_many, group.name_taken, interface.unknown.
     */
    add(wish: { body: { name: string; interfaces?: string[] } } & Manner): Promise<{ id: string; name: string; interfaces: string[]; memberCount: number; ruleCount: number; createdAt: string }>;
    /**
     * Rename a group, or change the interfaces that its members may use for new configs; existing configs stay.
     * `PUT /admin/groups/{id}`, scope `members:write`.
     * Refused with: group.not_found, group.changed_meanwhile, group.name_taken, interface.unknown.
     */
    change(wish: { params: { id: string }; body?: { name?: string; interfaces?: string[]; expected?: { name?: string; interfaces?: string[] } } } & Manner): Promise<{ id: string; name: string; interfaces: string[]; memberCount: number; ruleCount: number; createdAt: string }>;
    /**
     * Delete a group and its access rules: its members stay, with their configs, but may no longer use its interfaces for new ones.
     * `DELETE /admin/groups/{id}`, scope `members:write`.
     * Refused with: group.not_found.
     */
    remove(wish: { params: { id: string } } & Manner): Promise<void>;
    /**
     * Put a member into exactly these groups.
     * `PUT /admin/users/{id}/groups`, scope `members:write`.
     * Refused with: member.not_found, group.unknown, member.changed_meanwhile.
     */
    ofMember(wish: { params: { id: string }; body: { groups: string[]; expected?: { groups: string[] } } } & Manner): Promise<Array<{ id: string; name: string }>>;
  };
  notes: {
    /**
     * What staff noted about a member, newest first.
     * `GET /admin/users/{id}/notes`, scope `members:read`.
     * Refused with: member.not_found.
     */
    ofMember(wish: { params: { id: string }; query?: { as?: "moderator" } } & Manner): Promise<Array<{ id: string; content: string; by: { id: string; username: string; displayName: string } | null; createdAt: string; mayDelete: boolean }>>;
    /**
     * Add a note about a member, for staff only.
     * `POST /admin/users/{id}/notes`, scope `members:write`.
     * Refused with: member.not_found, note.too_many.
     */
    add(wish: { params: { id: string }; body: { content: string } } & Manner): Promise<{ id: string; content: string; by: { id: string; username: string; displayName: string } | null; createdAt: string; mayDelete: boolean }>;
    /**
     * Delete your own note; admins can delete any.
     * `DELETE /admin/users/{id}/notes/{noteId}`, scope `members:write`.
     * Refused with: member.not_found, note.not_found, auth.forbidden.
     */
    remove(wish: { params: { id: string; noteId: string } } & Manner): Promise<void>;
  };
  invites: {
    /**
     * Your live invite code.
     * `GET /users/{id}/active-invite`, scope `invites:read`.
     * Refused with: auth.not_yourself, member.not_found.
     */
    own(wish: { params: { id: string } } & Manner): Promise<{ code?: string; expiresAt: string | null }>;
    /**
     * Create your invite code for a friend: 12 h, single use; asking again returns the live one.
     * `POST /users/generate-invite`, scope `invites:write`.
     * Refused with: auth.not_yourself, invite.needs_subscription, invite.on_trial, invite.needs_rules, invite.monthly_limit, member.blocked.
     */
    makeOwn(wish?: { body?: { userId?: string; username?: string } } & Manner): Promise<{ code: string; expiresAt: string }>;
    /**
     * The friends you invited, newest first, and which of them count; anyone's for staff.
     * `GET /users/{id}/invited`, scope `invites:read`.
     * Refused with: auth.not_yourself, member.not_found.
     */
    invited(wish: { params: { id: string }; query?: { as?: "moderator" } } & Manner): Promise<Array<{ id: string; displayName: string; joinedAt: string; hasActiveSubscription: boolean; subscriptionUntil: string | null; counts: boolean; reasonWhyNot: "blocked" | "no_subscription" | "on_trial" | "no_handshake" | null }>>;
    /**
     * Staff's invite codes, newest first; `q` is a whole code.
     * `GET /admin/invite-codes`, scope `invites:read`.
     * Refused with: invite.not_found.
     */
    list(wish?: { query?: { limit?: number; cursor?: string; q?: string; skip?: number; spare?: number; state?: "all" | "active" | "expired" | "used" | "deactivated"; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; code: string; createdAt: string; maxUses: number; interfaces: string[]; expiresAt: string | null; subscriptionDays: number | null; subscriptionEndDate: string | null; isActive: boolean; is_active: 0 | 1; currentUses: number; template: { id: string; name: string } | null; state: "active" | "expired" | "used" | "deactivated"; createdBy: { id: string; username: string; displayName: string } | null }>>>;
    /**
     * How many staff codes are in each state.
     * `GET /admin/invite-codes/counts`, scope `invites:read`.
     */
    counts(wish?: { query?: { as?: "moderator" } } & Manner): Promise<{ all: number; active: number; expired: number; used: number; deactivated: number }>;
    /**
     * One staff code.
     * `GET /admin/invite-codes/{id}`, scope `invites:read`.
     * Refused with: invite.not_found.
     */
    show(wish: { params: { id: string }; query?: { as?: "moderator" } } & Manner): Promise<{ id: string; code: string; createdAt: string; maxUses: number; interfaces: string[]; expiresAt: string | null; subscriptionDays: number | null; subscriptionEndDate: string | null; isActive: boolean; is_active: 0 | 1; currentUses: number; template: { id: string; name: string } | null; state: "active" | "expired" | "used" | "deactivated"; createdBy: { id: string; username: string; displayName: string } | null }>;
    /**
     * Who joined with a code, newest first; a moderator's answer leaves out VIP members.
     * `GET /admin/invite-codes/{id}/members`, scope `invites:read`.
     * Refused with: invite.not_found.
     */
    newcomers(wish: { params: { id: string }; query?: { limit?: number; cursor?: string; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; username: string; displayName: string; joinedAt: string; isActive: boolean; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null } }>>>;
    /**
     * Create an invite code; moderators need an admin to switch that on.
     * `POST /admin/invite-codes`, scope `invites:write`.
     * Refused with: auth.forbidden, interface.unknown, template.unknown, invite.days_or_date, invite.expires_in_past, member.subscription_in_past.
     */
    add(wish: { body: { maxUses?: -1 | number; interfaces: string[]; expiresAt?: string | null; subscriptionDays?: number | null; subscriptionEndDate?: string | null; templateId?: string | null } } & Manner): Promise<{ id: string; code: string; createdAt: string; maxUses: number; interfaces: string[]; expiresAt: string | null; subscriptionDays: number | null; subscriptionEndDate: string | null; isActive: boolean; is_active: 0 | 1; currentUses: number; template: { id: string; name: string } | null; state: "active" | "expired" | "used" | "deactivated"; createdBy: { id: string; username: string; displayName: string } | null }>;
    /**
     * Change an invite code; never reactivates it.
     * `PUT /admin/invite-codes/{id}`, scope `invites:write`.
     * Refused with: invite.not_found, invite.not_active, invite.changed_meanwhile, interface.unknown, template.unknown, invite.days_or_date, invite.expires_in_past, member.subscription_in_past.
     */
    change(wish: { params: { id: string }; body?: { maxUses?: -1 | number; interfaces?: string[]; expiresAt?: string | null; subscriptionDays?: number | null; subscriptionEndDate?: string | null; templateId?: string | null; expected?: { maxUses?: -1 | number; interfaces?: string[]; expiresAt?: string | null; subscriptionDays?: number | null; subscriptionEndDate?: string | null; templateId?: string | null } } } & Manner): Promise<{ id: string; code: string; createdAt: string; maxUses: number; interfaces: string[]; expiresAt: string | null; subscriptionDays: number | null; subscriptionEndDate: string | null; isActive: boolean; is_active: 0 | 1; currentUses: number; template: { id: string; name: string } | null; state: "active" | "expired" | "used" | "deactivated"; createdBy: { id: string; username: string; displayName: string } | null }>;
    /**
     * Deactivate an invite code for good.
     * `PUT /admin/invite-codes/{id}/deactivate`, scope `invites:write`.
     * Refused with: invite.not_found.
     */
    deactivate(wish: { params: { id: string } } & Manner): Promise<{ id: string; code: string; createdAt: string; maxUses: number; interfaces: string[]; expiresAt: string | null; subscriptionDays: number | null; subscriptionEndDate: string | null; isActive: boolean; is_active: 0 | 1; currentUses: number; template: { id: string; name: string } | null; state: "active" | "expired" | "used" | "deactivated"; createdBy: { id: string; username: string; displayName: string } | null }>;
  };
  templates: {
    /**
     * The templates for new members, by name.
     * `GET /admin/templates`, scope `members:read`.
     */
    list(wish?: Manner): Promise<Array<{ id: string; name: string; services: string[]; interfaceId: string | null; configLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; isDefault: boolean }>>;
    /**
     * Add a template for new members; as the default it replaces the previous one.
     * `POST /admin/templates`, scope `members:write`.
     * Refused with: template.too_many, template.name_taken, service.unknown, interface.unknown.
     */
    add(wish: { body: { name: string; services: string[]; interfaceId: string | null; configLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit?: number; speedMbit?: number | null; isDefault: boolean | 0 | 1 | "0" | "1" } } & Manner): Promise<{ id: string; name: string; services: string[]; interfaceId: string | null; configLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; isDefault: boolean }>;
    /**
     * Change a template for new members; existing members keep what they started with.
     * `PUT /admin/templates/{id}`, scope `members:write`.
     * Refused with: template.not_found, template.changed_meanwhile, template.name_taken, service.unknown, interface.unknown.
     */
    change(wish: { params: { id: string }; body?: { name?: string; services?: string[]; interfaceId?: string | null; configLimit?: number; quotaBytes?: number | null; quotaAtEnd?: "tell" | "slow" | "cut"; quotaSlowMbit?: number; speedMbit?: number | null; isDefault?: boolean | 0 | 1 | "0" | "1"; expected?: { name?: string; services?: string[]; interfaceId?: string | null; configLimit?: number; quotaBytes?: number | null; quotaAtEnd?: "tell" | "slow" | "cut"; quotaSlowMbit?: number; speedMbit?: number | null; isDefault?: boolean } } } & Manner): Promise<{ id: string; name: string; services: string[]; interfaceId: string | null; configLimit: number; quotaBytes: number | null; quotaAtEnd: "tell" | "slow" | "cut"; quotaSlowMbit: number; speedMbit: number | null; isDefault: boolean }>;
    /**
     * Delete a template: its codes then give the default; existing members keep what they started with.
     * `DELETE /admin/templates/{id}`, scope `members:write`.
     * Refused with: template.not_found.
     */
    remove(wish: { params: { id: string } } & Manner): Promise<void>;
  };
  catalog: {
    /**
     * Services whose traffic can be routed through the VPN, in order.
     * `GET /services`, scope `catalog:read`.
     */
    services(wish?: Manner): Promise<Array<{ id: string; name: string; ips: string[]; deviceTypes: Array<"all" | "computer" | "phone">; allBut: boolean; picture: string; description: string; group: "everything" | "video" | "messengers" | "social" | "music" | "ai" | "games" | "work" | "news" | "other"; exit: "direct" | "closed" | string }>>;
    /**
     * Add a service.
     * `POST /services`, scope `catalog:write`.
     * Refused with: service.name_taken, service.changed_meanwhile, source.failed, exit.not_found, exit.cannot_route.
     */
    addService(wish: { body: { name: string; ips?: string[]; typed?: string; allBut?: boolean | 0 | 1 | "0" | "1"; sources?: string[]; deviceTypes?: Array<"all" | "computer" | "phone">; picture?: string; description?: string; group?: "everything" | "video" | "messengers" | "social" | "music" | "ai" | "games" | "work" | "news" | "other"; ticketId?: string; exit?: "direct" | "closed" | string } } & Manner): Promise<{ id: string; name: string; ips: string[]; deviceTypes: Array<"all" | "computer" | "phone">; allBut: boolean; picture: string; description: string; group: "everything" | "video" | "messengers" | "social" | "music" | "ai" | "games" | "work" | "news" | "other"; exit: "direct" | "closed" | string }>;
    /**
     * Change a service; configs it touches are marked for a new download.
     * `PUT /services/{id}`, scope `catalog:write`.
     * Refused with: service.not_found, service.name_taken, service.changed_meanwhile, source.failed, exit.not_found, exit.cannot_route.
     */
    changeService(wish: { params: { id: string }; body?: { name?: string; ips?: string[]; typed?: string; allBut?: boolean | 0 | 1 | "0" | "1"; sources?: string[]; deviceTypes?: Array<"all" | "computer" | "phone">; picture?: string; description?: string; group?: "everything" | "video" | "messengers" | "social" | "music" | "ai" | "games" | "work" | "news" | "other"; exit?: "direct" | "closed" | string; expected?: { name?: string; ips?: string[]; typed?: string; sources?: string[]; deviceTypes?: Array<"all" | "computer" | "phone">; picture?: string; description?: string; group?: "everything" | "video" | "messengers" | "social" | "music" | "ai" | "games" | "work" | "news" | "other"; exit?: "direct" | "closed" | string } } } & Manner): Promise<{ id: string; name: string; ips: string[]; deviceTypes: Array<"all" | "computer" | "phone">; allBut: boolean; picture: string; description: string; group: "everything" | "video" | "messengers" | "social" | "music" | "ai" | "games" | "work" | "news" | "other"; exit: "direct" | "closed" | string }>;
    /**
     * A service's list as it was typed, or its addresses if a program set them.
     * `GET /services/{id}/typed`, scope `catalog:read`.
     * Refused with: service.not_found.
     */
    serviceTyped(wish: { params: { id: string } } & Manner): Promise<{ text: string; allBut: boolean; sources: string[]; mark: string }>;
    /**
     * Delete a service that no config uses.
     * `DELETE /services/{id}`, scope `catalog:write`.
     * Refused with: service.not_found, service.in_use.
     */
    removeService(wish: { params: { id: string } } & Manner): Promise<void>;
    /**
     * DNS entries, in order.
     * `GET /dns`, scope `catalog:read`.
     */
    dns(wish?: Manner): Promise<Array<{ id: string; name: string; ips: string[] }>>;
    /**
     * Add a DNS entry.
     * `POST /dns`, scope `catalog:write`.
     * Refused with: dns.name_taken.
     */
    addDns(wish: { body: { name: string; ips: string[] } } & Manner): Promise<{ id: string; name: string; ips: string[] }>;
    /**
     * Change a DNS entry; configs it touches are marked for a new download.
     * `PUT /dns/{id}`, scope `catalog:write`.
     * Refused with: dns.not_found, dns.name_taken, dns.changed_meanwhile.
     */
    changeDns(wish: { params: { id: string }; body?: { name?: string; ips?: string[]; expected?: { name?: string; ips?: string[] } } } & Manner): Promise<{ id: string; name: string; ips: string[] }>;
    /**
     * Delete a DNS entry that no config uses.
     * `DELETE /dns/{id}`, scope `catalog:write`.
     * Refused with: dns.not_found, dns.in_use.
     */
    removeDns(wish: { params: { id: string } } & Manner): Promise<void>;
    /**
     * How many configs use each service and DNS entry; unused ones are absent.
     * `GET /admin/catalog/usage`, scope `catalog:read`.
     */
    usage(wish?: { query?: { as?: "moderator" } } & Manner): Promise<{ services: Array<{ id: string; configs: number }>; dns: Array<{ id: string; configs: number }> }>;
    /**
     * Networks of the club's interfaces and addresses of their endpoints.
     * `GET /admin/catalog/own-networks`, scope `catalog:read`.
     */
    ownNetworks(wish?: Manner): Promise<string[]>;
    /**
     * What giving the service these addresses would affect; changes nothing.
     * `POST /services/{id}/effect`, scope `catalog:read`.
     * Refused with: service.not_found.
     */
    serviceEffect(wish: { params: { id: string }; body?: { ips?: string[]; typed?: string; allBut?: boolean | 0 | 1 | "0" | "1" } } & Manner): Promise<{ toDownload: number; phonesOver: number }>;
    /**
     * What giving the DNS entry these addresses would affect; changes nothing.
     * `POST /dns/{id}/effect`, scope `catalog:read`.
     * Refused with: dns.not_found.
     */
    dnsEffect(wish: { params: { id: string }; body: { ips: string[] } } & Manner): Promise<{ toDownload: number }>;
  };
  sources: {
    /**
     * A service's sources and how each stands.
     * `GET /services/{id}/sources`, scope `catalog:read`.
     */
    ofService(wish: { params: { id: string } } & Manner): Promise<Array<{ id: string; source: string; networks: number; unread: number; goodAt: string; failingSince: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; held: boolean; waiting: { since: string; networks: number; mark: string; gained: string[]; lost: string[] } | null }>>;
    /**
     * Look up a service's sources now instead of within a day.
     * `POST /services/{id}/sources`, scope `catalog:write`.
     */
    lookNow(wish: { params: { id: string } } & Manner): Promise<Array<{ id: string; source: string; networks: number; unread: number; goodAt: string; failingSince: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; held: boolean; waiting: { since: string; networks: number; mark: string; gained: string[]; lost: string[] } | null }>>;
    /**
     * The last 30 lists of a source, the newest first.
     * `GET /services/{id}/sources/{source}/versions`, scope `catalog:read`.
     * Refused with: source.not_found.
     */
    versions(wish: { params: { id: string; source: string } } & Manner): Promise<Array<{ id: string; madeAt: string; networks: number; isCurrent: boolean }>>;
    /**
     * What bringing a version back would change.
     * `GET /services/{id}/sources/{source}/versions/{version}`, scope `catalog:read`.
     * Refused with: source.not_found.
     */
    compare(wish: { params: { id: string; source: string; version: string } } & Manner): Promise<{ gained: string[]; lost: string[] }>;
  };
  configs: {
    /**
     * Your own configs; with scope=all everyone's, for elevated staff.
     * `GET /vpn/configs`, scope `configs:read`.
     * Refused with: auth.two_factor_required.
     */
    list(wish?: { query?: { limit?: number; cursor?: string; q?: string; skip?: number; spare?: number; scope?: "own" | "all"; filter?: "all" | "online" | "never" | "blocked" | "dormant" | "ended" | "stale" | "moving" | "pending"; interfaceId?: string; sort?: "member" | "name" | "createdAt" | "lastHandshake" | "traffic"; order?: "asc" | "desc"; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number }; staff?: { owner: { id: string; username: string; displayName: string }; interfaceName: string; address: string; addressV6: string | null; movingFrom: { address: string; addressV6: string | null } | null } }>>>;
    /**
     * Create a config for one device; an Idempotency-Key header makes a repeated request safe.
     * `POST /vpn/configs`, scope `configs:write`.
     * Refused with: auth.not_yourself, config.key_invalid, config.key_taken, telegram.not_linked, member.blocked, config.blocked, quota.used_up, subscription.inactive, config.limit_reached, config.name_invalid, config.name_taken, config.phone_limit, request.idempotency_mismatch, service.unknown, service.wrong_device, dns.unknown, interface.unknown, interface.not_available, interface.inactive, interface.full, interface.none_available.
     */
    create(wish: { body: { userId?: string; name: string; deviceType: "computer" | "phone"; services: string[]; dns: string; interfaceId?: string; publicKey?: string } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number }; template: string | null }>;
    /**
     * Create a config for a member, under the same rules, and a one-time link that hands it over within 24 h; an API token also needs configs:files for that; an Idempotency-Key header makes a repeated request safe.
     * `POST /users/{id}/configs`, scope `configs:write`.
     * Refused with: member.not_found, config.not_found, config.handed_over, telegram.not_linked, member.blocked, config.blocked, quota.used_up, subscription.inactive, config.limit_reached, config.name_invalid, config.name_taken, config.phone_limit, request.idempotency_mismatch, service.unknown, service.wrong_device, dns.unknown, interface.unknown, interface.not_available, interface.inactive, interface.full, interface.none_available.
     */
    makeFor(wish: { params: { id: string }; body: { name: string; deviceType: "computer" | "phone"; services: string[]; dns: string; interfaceId?: string } } & Manner): Promise<{ config: { id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number } }; link: string; expiresAt: string }>;
    /**
     * Move a member's config to another interface that the member may use, and notify the member; its key stays. The old file works until the device connects with the new one, for at most 24 hours.
     * `PUT /admin/configs/{id}/interface`, scope `configs:write`.
     * Refused with: config.not_found, config.key_in_browser, config.still_there, config.secret_lost, interface.unknown, interface.not_available, interface.inactive, interface.full.
     */
    move(wish: { params: { id: string }; body: { interfaceId: string } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number } }>;
    /**
     * Take one device of a member off the wire, or let it back; its keys and address stay.
     * `PUT /admin/configs/{id}/blocked`, scope `configs:write`.
     * Refused with: config.not_found.
     */
    block(wish: { params: { id: string }; body: { isBlocked: boolean } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number } }>;
    /**
     * Switch your device on again that was switched off because it was not seen, or because its end came; then it has no end. Its file stays the same. A device that is on stays as it is.
     * `POST /vpn/configs/{id}/reactivate`, scope `configs:write`.
     * Refused with: config.not_found, config.end_by_staff.
     */
    reactivate(wish: { params: { id: string } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number } }>;
    /**
     * The same for a member's device.
     * `POST /admin/configs/{id}/reactivate`, scope `configs:write`.
     * Refused with: config.not_found.
     */
    reactivateAny(wish: { params: { id: string } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number } }>;
    /**
     * Set until when a member's device works, or null; then it is off and keeps its keys and address. Its owner cannot change what staff set. An end to come switches a device on again whose end had come.
     * `PUT /admin/configs/{id}/end`, scope `configs:write`.
     * Refused with: config.not_found, config.end_in_past.
     */
    end(wish: { params: { id: string }; body: { until: string | null } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number } }>;
    /**
     * Choose the services of a member's config whose server routes its traffic; its file stays as it is.
     * `PUT /admin/configs/{id}/services`, scope `configs:write`.
     * Refused with: config.not_found, config.not_routed, service.unknown, service.wrong_device.
     */
    chooseServices(wish: { params: { id: string }; body: { services: string[] } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number } }>;
    /**
     * A new one-time link to a config that staff created and whose file nobody has; the earlier link stops working.
     * `POST /admin/configs/{id}/link`, scope `configs:files`.
     * Refused with: config.not_found, config.handed_over, config.owner_blocked.
     */
    renewLink(wish: { params: { id: string } } & Manner): Promise<{ link: string; expiresAt: string }>;
    /**
     * Revoke the one-time link to a config; without one it changes nothing.
     * `DELETE /admin/configs/{id}/link`, scope `configs:write`.
     * Refused with: config.not_found.
     */
    revokeLink(wish: { params: { id: string } } & Manner): Promise<void>;
    /**
     * A member's configs: your own, or for elevated staff anyone's, with the details staff see.
     * `GET /vpn/configs/{id}`, scope `configs:read`.
     * Refused with: member.not_found, auth.not_yourself, auth.two_factor_required.
     */
    ofMember(wish: { params: { id: string } } & Manner): Promise<Array<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number }; handOver?: { linkUntil: string | null } | null; staff?: { owner: { id: string; username: string; displayName: string }; interfaceName: string; address: string; addressV6: string | null; movingFrom: { address: string; addressV6: string | null } | null } }>>;
    /**
     * Delete a config: its peer goes at once; deleting your own again gives the same answer.
     * `DELETE /vpn/configs/{id}`, scope `configs:write`.
     * Refused with: config.not_found, auth.two_factor_required.
     */
    remove(wish: { params: { id: string } } & Manner): Promise<void>;
    /**
     * Delete many configs at once and notify their owners. Configs already gone are skipped.
     * `POST /admin/configs/delete`, scope `configs:write`.
     */
    removeMany(wish: { body: { ids: string[] } } & Manner): Promise<{ deleted: string[] }>;
    /**
     * Bring your own config back within 60 s of deleting it, with the same keys and address, unless a new config had to take the address.
     * `POST /vpn/configs/{id}/restore`, scope `configs:write`.
     * Refused with: config.not_found, config.restore_too_late, config.address_given, config.interface_gone, config.deleted_by_staff, config.limit_reached, config.name_taken.
     */
    restore(wish: { params: { id: string } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number } }>;
    /**
     * New keys for a lost device's config, same name and address; the old key stops working at once. An Idempotency-Key header makes a repeated request safe.
     * `POST /vpn/configs/{id}/key`, scope `configs:write`.
     * Refused with: config.not_found, config.key_invalid, config.key_taken, config.routes_unknown, request.idempotency_mismatch.
     */
    replaceKey(wish: { params: { id: string }; body?: { publicKey?: string } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number }; template: string | null }>;
    /**
     * Rename your own config, or change its services, DNS entry, interface, or until when it works; its key stays. If the file changes and a browser made its key, the answer has the file without the key. On another interface the config gets another address; the old file works until the device connects with the new one, for at most 24 hours.
     * `PUT /vpn/configs/{id}`, scope `configs:write`.
     * Refused with: config.not_found, config.name_invalid, config.name_taken, config.end_in_past, config.end_by_staff, config.phone_limit, config.routes_unknown, config.still_there, config.secret_lost, service.unknown, service.wrong_device, dns.unknown, interface.unknown, interface.not_available, interface.inactive, interface.full.
     */
    change(wish: { params: { id: string }; body?: { name?: string; services?: string[]; dns?: string; interfaceId?: string; until?: string | null } } & Manner): Promise<{ id: string; userId: string; name: string; deviceType: "computer" | "phone"; device_type: "computer" | "phone"; createdAt: string; created_at: string; services: string[]; dns: string; interfaceId: string; serverId: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; keyOrigin: "panel" | "browser"; madeByStaff: boolean; isBlocked: boolean; dormant: { since: string; keptUntil: string } | null; dormantFrom: string | null; ends: { at: string; isOver: boolean; byStaff: boolean } | null; state: "applied" | "pending" | "off"; pendingSince: string | null; serverAwaySince: string | null; needsDownload: boolean; moving: { until: string; interfaceId: string; interfaceName: string; serverName: string } | null; routing: "device" | "server"; exitsDown: Array<{ server: string; since: string | null; instead: "wait" | "direct" | "other"; other: string | null }>; overPhoneLimit: boolean; stats: { lastHandshake: number | null; dataReceived: number; dataSent: number }; wireguardClient: { last_handshake: number | null; data_received: number; data_sent: number }; template: string | null }>;
    /**
     * The config as a wg-quick file.
     * `GET /vpn/configs/{id}/download`, scope `configs:files`.
     * Refused with: config.not_found, config.key_in_browser, config.routes_unknown, config.secret_lost.
     */
    download(wish: { params: { id: string } } & Manner): Promise<Blob>;
    /**
     * The config's text for a QR code.
     * `GET /vpn/configs/{id}/qrcode`, scope `configs:files`.
     * Refused with: config.not_found, config.key_in_browser, config.routes_unknown, config.secret_lost.
     */
    qrcode(wish: { params: { id: string } } & Manner): Promise<{ config: string; name: string }>;
    /**
     * The config as the link that AmneziaVPN accepts; only for AmneziaWG interfaces.
     * `GET /vpn/configs/{id}/link`, scope `configs:files`.
     * Refused with: config.not_found, config.key_in_browser, config.routes_unknown, config.secret_lost, config.no_link.
     */
    link(wish: { params: { id: string } } & Manner): Promise<{ link: string; name: string }>;
    /**
     * Last handshake, bytes and speed of your own config.
     * `GET /vpn/configs/{id}/stats`, scope `configs:read`.
     * Refused with: config.not_found.
     */
    stats(wish: { params: { id: string } } & Manner): Promise<{ lastHandshake: number | null; dataReceived: number; dataSent: number; speed: { received: number; sent: number } | null }>;
    /**
     * Last handshake, bytes and speed of all your own configs, at most five seconds old if the server answers.
     * `GET /vpn/stats`, scope `configs:read`.
     */
    ownStats(wish?: Manner): Promise<Array<{ lastHandshake: number | null; dataReceived: number; dataSent: number; speed: { received: number; sent: number } | null; id: string; serverAwaySince: string | null }>>;
    /**
     * Last handshake, bytes and speed of anyone's config.
     * `GET /admin/configs/{id}/stats`, scope `configs:read`.
     * Refused with: config.not_found.
     */
    staffStats(wish: { params: { id: string }; query?: { as?: "moderator" } } & Manner): Promise<{ lastHandshake: number | null; dataReceived: number; dataSent: number; speed: { received: number; sent: number } | null }>;
    /**
     * The same as /vpn/configs/{id}/stats.
     * `GET /vpn/stats/{id}`, scope `configs:read`.
     * Refused with: config.not_found.
     */
    statsByConfig(wish: { params: { id: string } } & Manner): Promise<{ lastHandshake: number | null; dataReceived: number; dataSent: number; speed: { received: number; sent: number } | null }>;
    /**
     * What the member would now see about why this config may not work, except the clock of their device.
     * `GET /admin/configs/{id}/diagnosis`, scope `configs:read`.
     * Refused with: config.not_found.
     */
    staffDiagnosis(wish: { params: { id: string }; query?: { as?: "moderator" } } & Manner): Promise<{ cause: "blocked" | "dormant" | "ended" | "expired" | "no_subscription" | "quota" | "interface_off" | "server_away" | "tunnel_down" | "applying" | "outdated_file" | "too_many_addresses" | "not_forwarded" | "exit_waits" | "exit_direct" | "exit_other" | "no_dns" | "all_well" | "clock" | "tunnel_blocked" | "never_connected" | "udp_blocked" | "switched_off"; checkedAt: string; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null }; serverName: string; serverAwaySince: string | null; tunnel: { state: "answers" | "closed" | "not_running" | "unresolved" | "untried" | "away"; since: string; fromInside: boolean } | null; applied: boolean; fileOutdated: boolean; restExit: "direct" | "closed" | "server" | null; restExitServer: string | null; exits: Array<{ server: string; link: "up" | "down" | "stuck" | "making" | "missing"; services: string[] }>; lastHandshake: number | null; receivedLately: number; sentLately: number; clockAhead: number | null }>;
    /**
     * Why your own config may not work, as far as the club can see.
     * `GET /vpn/configs/{id}/diagnosis`, scope `configs:read`.
     * Refused with: config.not_found.
     */
    diagnosis(wish: { params: { id: string }; query?: { clock?: number } } & Manner): Promise<{ cause: "blocked" | "dormant" | "ended" | "expired" | "no_subscription" | "quota" | "interface_off" | "server_away" | "tunnel_down" | "applying" | "outdated_file" | "too_many_addresses" | "not_forwarded" | "exit_waits" | "exit_direct" | "exit_other" | "no_dns" | "all_well" | "clock" | "tunnel_blocked" | "never_connected" | "udp_blocked" | "switched_off"; checkedAt: string; entitlement: { allowed: boolean; reason: "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none"; until: string | null }; serverName: string; serverAwaySince: string | null; tunnel: { state: "answers" | "closed" | "not_running" | "unresolved" | "untried" | "away"; since: string; fromInside: boolean } | null; applied: boolean; fileOutdated: boolean; restExit: "direct" | "closed" | "server" | null; restExitServer: string | null; exits: Array<{ server: string; link: "up" | "down" | "stuck" | "making" | "missing"; services: string[] }>; lastHandshake: number | null; receivedLately: number; sentLately: number; clockAhead: number | null }>;
    /**
     * Servers on which you may create configs.
     * `GET /vpn/available-servers`, scope `configs:read`.
     * Refused with: auth.not_yourself, auth.two_factor_required, member.not_found.
     */
    availableServers(wish?: { query?: { userId?: string } } & Manner): Promise<Array<{ id: string; name: string; isMain: boolean; is_main: 0 | 1; isSetupComplete: boolean; is_setup_complete: 0 | 1 }>>;
    /**
     * Interfaces on which you, or for elevated staff another member, may create configs; unusable ones come with the reason.
     * `GET /vpn/available-interfaces`, scope `configs:read`.
     * Refused with: auth.not_yourself, auth.two_factor_required, member.not_found.
     */
    availableInterfaces(wish?: { query?: { userId?: string } } & Manner): Promise<Array<{ id: string; name: string; isActive: boolean; is_active: boolean; reason: "inactive" | "full" | "server_unready" | "server_closed" | null; serverId: string; server_id: string; serverName: string; tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; routing: "device" | "server"; serverState: "answers" | "busy" | "silent"; serverCountry: string | null; isPreferred: boolean }>>;
    /**
     * Services of the template that you, or for elevated staff another member, started with: only a preselection for new configs.
     * `GET /vpn/suggested-services`, scope `configs:read`.
     * Refused with: auth.not_yourself, auth.two_factor_required, member.not_found.
     */
    suggestedServices(wish?: { query?: { userId?: string } } & Manner): Promise<string[]>;
  };
  traffic: {
    /**
     * How much of your traffic quota is used, and when it resets; null without a quota.
     * `GET /vpn/quota`, scope `configs:read`.
     */
    ownQuota(wish?: Manner): Promise<{ bytes: number; used: number; atEnd: "tell" | "slow" | "cut"; slowMbit: number | null; resetsAt: string } | null>;
    /**
     * What each of your configs used, day by day; days and configs without traffic are left out.
     * `GET /vpn/traffic`, scope `configs:read`.
     */
    own(wish?: { query?: { days?: number } } & Manner): Promise<{ from: string; to: string; configs: Array<{ id: string; days: Array<{ day: string; received: number; sent: number }> }> }>;
  };
  payments: {
    /**
     * What you pay and how, the current month, your claims and the records so far.
     * `GET /payments/own`, scope `payments:read`.
     */
    own(wish?: Manner): Promise<{ price: { amount: string; currency: string } | null; offers: Array<{ months: 1 | 3 | 6 | 12; amount: string; currency: string; extendsTo: string | null }>; details: string | null; free: "unlimited" | "referral" | null; current: { period: string; status: "pending" | "paid" | "overdue" | "not_required"; amount: string | null; currency: string; paidDate: string | null; dueDate: string; grantedUntil: string | null; paidMonths: 1 | 3 | 6 | 12 }; claim: { id: string; state: "waiting" | "declined"; months: 1 | 3 | 6 | 12; claimedAt: string; decidedAt: string | null; reason: string | null; receipt: string | null } | null; canClaim: boolean; wouldExtendTo: string | null; history: Array<{ period: string; status: "pending" | "paid" | "overdue" | "not_required"; amount: string | null; currency: string; paidDate: string | null; dueDate: string; grantedUntil: string | null; paidMonths: 1 | 3 | 6 | 12 }> }>;
    /**
     * What was paid, granted and taken back, and how it moved your subscription's end; newest first.
     * `GET /payments/ledger`, scope `payments:read`.
     */
    ownLedger(wish?: { query?: { limit?: number; cursor?: string } } & Manner): Promise<Page<Array<{ number: number; at: string; kind: "opening" | "trial" | "code" | "added" | "payment" | "free_month" | "taken_back" | "extension" | "date" | "undo" | "deleted"; isGift: boolean; endBefore: string | null; endAfter: string | null; period: string | null; months: number | null; amount: string | null; currency: string | null }>>>;
    /**
     * Tell staff that you have paid, for one month or several; while the claim waits, calling again only replaces the receipt.
     * `POST /payments/claim`, scope `payments:write`.
     * Refused with: payment.nothing_due, payment.already_settled, payment.not_set_up, payment.length_not_offered, payment.receipt_invalid, picture.too_detailed, picture.upload_gone.
     */
    claim(wish?: { body?: { receipt?: string; months?: 1 | 3 | 6 | 12 } } & Manner): Promise<{ price: { amount: string; currency: string } | null; offers: Array<{ months: 1 | 3 | 6 | 12; amount: string; currency: string; extendsTo: string | null }>; details: string | null; free: "unlimited" | "referral" | null; current: { period: string; status: "pending" | "paid" | "overdue" | "not_required"; amount: string | null; currency: string; paidDate: string | null; dueDate: string; grantedUntil: string | null; paidMonths: 1 | 3 | 6 | 12 }; claim: { id: string; state: "waiting" | "declined"; months: 1 | 3 | 6 | 12; claimedAt: string; decidedAt: string | null; reason: string | null; receipt: string | null } | null; canClaim: boolean; wouldExtendTo: string | null; history: Array<{ period: string; status: "pending" | "paid" | "overdue" | "not_required"; amount: string | null; currency: string; paidDate: string | null; dueDate: string; grantedUntil: string | null; paidMonths: 1 | 3 | 6 | 12 }> }>;
    /**
     * Withdraw your claim and its receipt.
     * `DELETE /payments/claim`, scope `payments:write`.
     */
    withdraw(wish?: Manner): Promise<void>;
    /**
     * The receipt of your claim that waits or was declined recently.
     * `GET /payments/claim/receipt`, scope `payments:read`.
     * Refused with: payment.receipt_not_found.
     */
    ownReceipt(wish?: Manner): Promise<Blob>;
    /**
     * Every member's payment for a month, by username; a moderator's answer leaves out VIP members.
     * `GET /admin/payments/history/{period}`, scope `payments:read`.
     */
    history(wish: { params: { period: string }; query?: { limit?: number; cursor?: string; q?: string; skip?: number; spare?: number; status?: "all" | "pending" | "paid" | "overdue" | "not_required" | "unlimited"; sort?: "name" | "subscription"; order?: "asc" | "desc"; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string | null; userId: string; user_id: string; username: string; displayName: string; isUnlimited: boolean; free: "unlimited" | "referral" | null; amount: string | null; currency: string; status: "pending" | "paid" | "overdue" | "not_required"; paidDate: string | null; paid_date: string | null; dueDate: string; due_date: string; period: string; note: string | null; grantedUntil: string | null; paidMonths: 1 | 3 | 6 | 12; subscriptionEnd: string | null; claimId: string | null }>>>;
    /**
     * How many members have each status in a month, and what was received; a moderator's answer leaves out VIP members.
     * `GET /admin/payments/summary/{period}`, scope `payments:read`.
     */
    summary(wish: { params: { period: string }; query?: { as?: "moderator" } } & Manner): Promise<{ period: string; currentPeriod: string; lastPeriod: string; counts: { all: number; pending: number; paid: number; overdue: number; not_required: number; unlimited: number }; received: Array<{ amount: string; currency: string }>; receivedFromDeleted: Array<{ amount: string; currency: string }> }>;
    /**
     * One member's months and claims, and what each status would do to the subscription now; `period` asks about another month than the current one.
     * `GET /admin/payments/members/{id}`, scope `payments:read`.
     * Refused with: member.not_found.
     */
    ofMember(wish: { params: { id: string }; query?: { as?: "moderator"; period?: string } } & Manner): Promise<{ current: { id: string | null; userId: string; user_id: string; username: string; displayName: string; isUnlimited: boolean; free: "unlimited" | "referral" | null; amount: string | null; currency: string; status: "pending" | "paid" | "overdue" | "not_required"; paidDate: string | null; paid_date: string | null; dueDate: string; due_date: string; period: string; note: string | null; grantedUntil: string | null; paidMonths: 1 | 3 | 6 | 12; subscriptionEnd: string | null; claimId: string | null }; choices: Array<{ status: "pending" | "paid" | "overdue" | "not_required"; refusal: { code: string; message: string } | null; effect: { kind: "grant" | "take back"; from: string | null; until: string | null; months: number } | null }>; lengths: Array<{ months: 1 | 3 | 6 | 12; amount: string | null; currency: string; until: string | null }>; history: Array<{ id: string | null; userId: string; user_id: string; username: string; displayName: string; isUnlimited: boolean; free: "unlimited" | "referral" | null; amount: string | null; currency: string; status: "pending" | "paid" | "overdue" | "not_required"; paidDate: string | null; paid_date: string | null; dueDate: string; due_date: string; period: string; note: string | null; grantedUntil: string | null; paidMonths: 1 | 3 | 6 | 12; subscriptionEnd: string | null; claimId: string | null }>; claims: Array<{ id: string; state: "waiting" | "confirmed" | "declined"; months: 1 | 3 | 6 | 12; claimedAt: string; decidedAt: string | null; reason: string | null; receipt: string | null }> }>;
    /**
     * What was paid, granted and taken back, by whom, and how it moved the subscription's end; newest first.
     * `GET /admin/payments/members/{id}/ledger`, scope `payments:read`.
     * Refused with: member.not_found.
     */
    ledger(wish: { params: { id: string }; query?: { limit?: number; cursor?: string; as?: "moderator" } } & Manner): Promise<Page<Array<{ number: number; at: string; kind: "opening" | "trial" | "code" | "added" | "payment" | "free_month" | "taken_back" | "extension" | "date" | "undo" | "deleted"; isGift: boolean; endBefore: string | null; endAfter: string | null; period: string | null; months: number | null; amount: string | null; currency: string | null; by: { id: string; username: string; displayName: string } | null }>>>;
    /**
     * Set a member's status for the current month; this updates the subscription and decides a waiting claim. A payment for several months is recorded, and taken back, as a whole, also before its first month has begun.
     * `PUT /admin/payments/status`, scope `payments:write`.
     * Refused with: auth.forbidden, member.not_found, payment.not_current_month, payment.unlimited_member, payment.transition, payment.already_settled, payment.length_not_offered, payment.changed_meanwhile.
     */
    setStatus(wish: { body: { userId: string; status: "pending" | "paid" | "overdue" | "not_required"; period: string; months?: 1 | 3 | 6 | 12; ahead?: boolean | 0 | 1 | "0" | "1"; act?: string; note?: string | null; paidDate?: string | null; shouldReduceSubscription?: boolean | 0 | 1 | "0" | "1" | null; expected?: { status?: "pending" | "paid" | "overdue" | "not_required"; subscriptionEnd?: string | null; claimId?: string | null } } } & Manner): Promise<{ id: string | null; userId: string; user_id: string; username: string; displayName: string; isUnlimited: boolean; free: "unlimited" | "referral" | null; amount: string | null; currency: string; status: "pending" | "paid" | "overdue" | "not_required"; paidDate: string | null; paid_date: string | null; dueDate: string; due_date: string; period: string; note: string | null; grantedUntil: string | null; paidMonths: 1 | 3 | 6 | 12; subscriptionEnd: string | null; claimId: string | null }>;
    /**
     * Record what a payment provider received, by its own payment id: the current month, or several from it on, becomes paid and a waiting claim is confirmed; a repeated or simultaneous call changes nothing more. While the current month is settled, several months are the next ones.
     * `PUT /admin/payments/received/{id}`, scope `payments:write`.
     * Refused with: auth.forbidden, member.not_found, payment.id_used, payment.wrong_sum, payment.unlimited_member, payment.already_settled, payment.length_not_offered.
     */
    receive(wish: { params: { id: string }; body: { user: string; months?: 1 | 3 | 6 | 12; amount: string | number; currency: string } } & Manner): Promise<{ userId: string; username: string; period: string; months: 1 | 3 | 6 | 12; amount: string; currency: string; isRepeated: boolean; subscriptionEnd: string | null }>;
    /**
     * Undo what you set to paid with this `act` in the last 10 seconds: months, subscriptions and claims are as before; some members at a time: repeat with `after` from the answer until it is null.
     * `POST /admin/payments/undo`, scope `payments:write`.
     * Refused with: undo.nothing, undo.too_late.
     */
    undo(wish: { body: { act: string; after?: string | null } } & Manner): Promise<{ undone: number; refused: Array<{ id: string; username: string; displayName: string; code: string; message: string }>; after: string | null }>;
    /**
     * What was paid for and in each of the last 24 months and who paid again, oldest first; an admin's answer includes deleted members, a moderator's leaves out them and VIP members.
     * `GET /admin/payments/revenue`, scope `payments:read`.
     */
    revenue(wish?: { query?: { as?: "moderator" } } & Manner): Promise<Array<{ period: string; received: Array<{ amount: string; currency: string }>; cameIn: Array<{ amount: string; currency: string }>; gifts: number; newPayers: number; repeatPayers: number; ended: number; paidAgain: number }>>;
    /**
     * Claims waiting for a decision; `q` matches part of the members' names.
     * `GET /admin/payments/claims`, scope `payments:read`.
     */
    claims(wish?: { query?: { limit?: number; cursor?: string; q?: string; sort?: "claimed" | "due"; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; userId: string; username: string; displayName: string; claimedAt: string; receipt: string | null; period: string; months: 1 | 3 | 6 | 12; status: "pending" | "paid" | "overdue" | "not_required"; amount: string | null; currency: string; isUnlimited: boolean; subscriptionEnd: string | null; grantsUntil: string | null }>>>;
    /**
     * The receipt of a claim.
     * `GET /admin/payments/claims/{id}/receipt`, scope `payments:read`.
     * Refused with: payment.receipt_not_found.
     */
    receipt(wish: { params: { id: string } } & Manner): Promise<Blob>;
    /**
     * Decline a member's claim and say why; the month's status stays.
     * `PUT /admin/payments/claims/{id}/decline`, scope `payments:write`.
     * Refused with: payment.claim_not_found, payment.claim_decided.
     */
    decline(wish: { params: { id: string }; body?: { reason?: string | null } } & Manner): Promise<void>;
    /**
     * What a month costs, and the instructions for paying.
     * `GET /admin/payments/settings`, scope `payments:read`.
     */
    settings(wish?: Manner): Promise<{ price: string | null; price3: string | null; price6: string | null; price12: string | null; currency: string; details: string }>;
  };
  pictures: {
    /**
     * Upload a picture of up to 5 MB and 16 million pixels, and send the returned id with a message or a claim within an hour; the same picture gets the same id. The panel redraws it, so metadata such as the location is not kept.
     * `POST /pictures`, scope `support:write`.
     * Refused with: picture.invalid, picture.too_detailed.
     */
    upload(wish: { body: Blob } & Manner): Promise<{ id: string }>;
  };
  servers: {
    /**
     * All servers with their state; a moderator's answer leaves out how to reach their machines and what they report.
     * `GET /admin/servers`, scope `servers:read`.
     */
    list(wish?: { query?: { as?: "moderator" } } & Manner): Promise<Array<{ id: string; name: string; driver: "local" | "ssh"; host: string | null; credentials: { host: string; port: number; username: string; hasPassword: boolean } | null; fingerprint: string | null; shownFingerprint: string | null; system: string | null; unfit: { failure: "unsupported_system" | "unsupported_architecture" | "no_systemd" | "wrong_clock" | "no_space" | "no_tun"; detail: string | null } | null; needsSetup: boolean; tunnelsIn: "docker" | "system" | null; endpoint: string | null; defaultEndpoint: string | null; isMain: boolean; is_main: 0 | 1; isSetupComplete: boolean; is_setup_complete: 0 | 1; status: "connected" | "pending" | "error" | "silent"; error: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; problem: "unresolved" | "closed" | "silent" | "not_ssh" | "host_key_changed" | "no_algorithm" | "login_refused" | "keys_only" | "second_factor" | "password_expired" | "root_closed" | "no_shell" | "other_command" | "no_sudo" | "sudo_second" | "no_agent" | "lost" | "unproved_restore" | null; errorSince: string | null; lastSync: string | null; createdAt: string; created_at: string; stats: { cpu: { usage: number; cores: number }; memory: { total: number; used: number; free: number }; uptime: number; load: number[]; network_in: number; network_out: number; geolocation: string | null; ip_address: string | null; readAt: string } | null; interfaceCount: number; configCount: number; peerCount: number; capacity: number; takesNew: boolean; forwarding: { state: "refused" | "suspected"; since: string; causes: Array<{ by: "ufw" | "firewalld" | "docker" | "iptables" | "iptables-legacy" | "nftables"; chain: string; rule: string | null; ways: Array<"out" | "back">; families: Array<4 | 6>; isSure: boolean; opening: string }>; failure: string | null; why: { code: string; ru: string; en: string; said: string | null } | null } | null; namesUnresolved: { code: string; ru: string; en: string; said: string | null } | null; speedsUnlimited: { code: string; ru: string; en: string; said: string | null } | null; pathMtu: number | null; opensForwarding: boolean; toDownload: number; leavingCount: number; assignedCount: number; whyNotDeleted: "server.is_main" | "server.is_local" | "server.is_exit" | "server.in_use" | null }>>;
    /**
     * Change a server's name, endpoint or credentials, whether it is open to new configs, or whether other firewalls are kept open; a new endpoint marks configs for a new download.
     * `PUT /admin/servers/{id}`, scope `servers:write`.
     * Refused with: server.not_found, server.unreachable, server.endpoint_invalid, server.exists, server.is_local, server.changed_meanwhile.
     */
    change(wish: { params: { id: string }; body?: { name?: string; endpoint?: string | null; takesNew?: boolean; opensForwarding?: boolean; credentials?: { host: string; port?: number; username?: string; password?: string }; expected?: { name?: string; endpoint?: string | null; credentials?: { host: string; port?: number; username?: string } } } } & Manner): Promise<{ id: string; name: string; driver: "local" | "ssh"; host: string | null; credentials: { host: string; port: number; username: string; hasPassword: boolean } | null; fingerprint: string | null; shownFingerprint: string | null; system: string | null; unfit: { failure: "unsupported_system" | "unsupported_architecture" | "no_systemd" | "wrong_clock" | "no_space" | "no_tun"; detail: string | null } | null; needsSetup: boolean; tunnelsIn: "docker" | "system" | null; endpoint: string | null; defaultEndpoint: string | null; isMain: boolean; is_main: 0 | 1; isSetupComplete: boolean; is_setup_complete: 0 | 1; status: "connected" | "pending" | "error" | "silent"; error: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; problem: "unresolved" | "closed" | "silent" | "not_ssh" | "host_key_changed" | "no_algorithm" | "login_refused" | "keys_only" | "second_factor" | "password_expired" | "root_closed" | "no_shell" | "other_command" | "no_sudo" | "sudo_second" | "no_agent" | "lost" | "unproved_restore" | null; errorSince: string | null; lastSync: string | null; createdAt: string; created_at: string; stats: { cpu: { usage: number; cores: number }; memory: { total: number; used: number; free: number }; uptime: number; load: number[]; network_in: number; network_out: number; geolocation: string | null; ip_address: string | null; readAt: string } | null; interfaceCount: number; configCount: number; peerCount: number; capacity: number; takesNew: boolean; forwarding: { state: "refused" | "suspected"; since: string; causes: Array<{ by: "ufw" | "firewalld" | "docker" | "iptables" | "iptables-legacy" | "nftables"; chain: string; rule: string | null; ways: Array<"out" | "back">; families: Array<4 | 6>; isSure: boolean; opening: string }>; failure: string | null; why: { code: string; ru: string; en: string; said: string | null } | null } | null; namesUnresolved: { code: string; ru: string; en: string; said: string | null } | null; speedsUnlimited: { code: string; ru: string; en: string; said: string | null } | null; pathMtu: number | null; opensForwarding: boolean; toDownload: number; leavingCount: number; assignedCount: number; whyNotDeleted: "server.is_main" | "server.is_local" | "server.is_exit" | "server.in_use" | null }>;
    /**
     * Read a server's live numbers now; retries a server that did not answer.
     * `GET /admin/servers/{id}/refresh`, scope `servers:read`.
     * Refused with: server.not_found, server.unreachable.
     */
    refresh(wish: { params: { id: string } } & Manner): Promise<{ id: string; name: string; driver: "local" | "ssh"; host: string | null; credentials: { host: string; port: number; username: string; hasPassword: boolean } | null; fingerprint: string | null; shownFingerprint: string | null; system: string | null; unfit: { failure: "unsupported_system" | "unsupported_architecture" | "no_systemd" | "wrong_clock" | "no_space" | "no_tun"; detail: string | null } | null; needsSetup: boolean; tunnelsIn: "docker" | "system" | null; endpoint: string | null; defaultEndpoint: string | null; isMain: boolean; is_main: 0 | 1; isSetupComplete: boolean; is_setup_complete: 0 | 1; status: "connected" | "pending" | "error" | "silent"; error: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; problem: "unresolved" | "closed" | "silent" | "not_ssh" | "host_key_changed" | "no_algorithm" | "login_refused" | "keys_only" | "second_factor" | "password_expired" | "root_closed" | "no_shell" | "other_command" | "no_sudo" | "sudo_second" | "no_agent" | "lost" | "unproved_restore" | null; errorSince: string | null; lastSync: string | null; createdAt: string; created_at: string; stats: { cpu: { usage: number; cores: number }; memory: { total: number; used: number; free: number }; uptime: number; load: number[]; network_in: number; network_out: number; geolocation: string | null; ip_address: string | null; readAt: string } | null; interfaceCount: number; configCount: number; peerCount: number; capacity: number; takesNew: boolean; forwarding: { state: "refused" | "suspected"; since: string; causes: Array<{ by: "ufw" | "firewalld" | "docker" | "iptables" | "iptables-legacy" | "nftables"; chain: string; rule: string | null; ways: Array<"out" | "back">; families: Array<4 | 6>; isSure: boolean; opening: string }>; failure: string | null; why: { code: string; ru: string; en: string; said: string | null } | null } | null; namesUnresolved: { code: string; ru: string; en: string; said: string | null } | null; speedsUnlimited: { code: string; ru: string; en: string; said: string | null } | null; pathMtu: number | null; opensForwarding: boolean; toDownload: number; leavingCount: number; assignedCount: number; whyNotDeleted: "server.is_main" | "server.is_local" | "server.is_exit" | "server.in_use" | null }>;
    /**
     * Make a server the main one: members with nothing assigned get its interfaces.
     * `PUT /admin/servers/{id}/set-main`, scope `servers:write`.
     * Refused with: server.not_found.
     */
    setMain(wish: { params: { id: string } } & Manner): Promise<{ id: string; name: string; driver: "local" | "ssh"; host: string | null; credentials: { host: string; port: number; username: string; hasPassword: boolean } | null; fingerprint: string | null; shownFingerprint: string | null; system: string | null; unfit: { failure: "unsupported_system" | "unsupported_architecture" | "no_systemd" | "wrong_clock" | "no_space" | "no_tun"; detail: string | null } | null; needsSetup: boolean; tunnelsIn: "docker" | "system" | null; endpoint: string | null; defaultEndpoint: string | null; isMain: boolean; is_main: 0 | 1; isSetupComplete: boolean; is_setup_complete: 0 | 1; status: "connected" | "pending" | "error" | "silent"; error: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; problem: "unresolved" | "closed" | "silent" | "not_ssh" | "host_key_changed" | "no_algorithm" | "login_refused" | "keys_only" | "second_factor" | "password_expired" | "root_closed" | "no_shell" | "other_command" | "no_sudo" | "sudo_second" | "no_agent" | "lost" | "unproved_restore" | null; errorSince: string | null; lastSync: string | null; createdAt: string; created_at: string; stats: { cpu: { usage: number; cores: number }; memory: { total: number; used: number; free: number }; uptime: number; load: number[]; network_in: number; network_out: number; geolocation: string | null; ip_address: string | null; readAt: string } | null; interfaceCount: number; configCount: number; peerCount: number; capacity: number; takesNew: boolean; forwarding: { state: "refused" | "suspected"; since: string; causes: Array<{ by: "ufw" | "firewalld" | "docker" | "iptables" | "iptables-legacy" | "nftables"; chain: string; rule: string | null; ways: Array<"out" | "back">; families: Array<4 | 6>; isSure: boolean; opening: string }>; failure: string | null; why: { code: string; ru: string; en: string; said: string | null } | null } | null; namesUnresolved: { code: string; ru: string; en: string; said: string | null } | null; speedsUnlimited: { code: string; ru: string; en: string; said: string | null } | null; pathMtu: number | null; opensForwarding: boolean; toDownload: number; leavingCount: number; assignedCount: number; whyNotDeleted: "server.is_main" | "server.is_local" | "server.is_exit" | "server.in_use" | null }>;
    /**
     * Assign a server to a member, who may then create configs on all of its interfaces.
     * `POST /admin/servers/assign`, scope `servers:write`.
     * Refused with: auth.forbidden, server.not_found, member.not_found.
     */
    assign(wish: { body: { userId: string; serverId: string } } & Manner): Promise<{ userId: string; username: string; displayName: string }>;
    /**
     * Unassign a server from a member; existing configs on it stay.
     * `DELETE /admin/servers/assign/{userId}/{serverId}`, scope `servers:write`.
     * Refused with: auth.forbidden, server.not_found, member.not_found.
     */
    unassign(wish: { params: { userId: string; serverId: string } } & Manner): Promise<void>;
    /**
     * For a server's id the members it is assigned to; for a member's id their servers.
     * `GET /admin/servers/user-assignments/{id}`, scope `servers:read`.
     * Refused with: server.not_found, member.not_found.
     */
    assignments(wish: { params: { id: string }; query?: { limit?: number; cursor?: string; q?: string; as?: "moderator" } } & Manner): Promise<Array<{ userId: string; username: string; displayName: string }> | Array<{ serverId: string; name: string }>>;
  };
  serverHistory: {
    /**
     * How busy a server's machine was in the last 24 hours or 30 days; steps without a reading are left out.
     * `GET /admin/servers/{id}/history`, scope `servers:read`.
     * Refused with: server.not_found.
     */
    read(wish: { params: { id: string }; query?: { span?: "day" | "month" } } & Manner): Promise<{ step: number; from: string; to: string; points: Array<{ at: string; cpu: number; memory: number; memoryTotal: number; load: number; received: number; sent: number }> }>;
  };
  drain: {
    /**
     * Drains that are running or ended within the last day: the latest of each server and interface.
     * `GET /admin/servers/emptyings`, scope `servers:read`.
     */
    list(wish?: Manner): Promise<Array<{ kind: "server" | "interface"; from: { id: string; name: string }; to: { id: string; name: string }; by: string | null; state: "running" | "done" | "stopped"; startedAt: string; endedAt: string | null; total: number; moved: number; stayed: Record<string, number>; goesAt: string | null }>>;
    /**
     * What a drain of this server would move, and where to.
     * `GET /admin/servers/{id}/emptying`, scope `servers:read`.
     * Refused with: server.not_found.
     */
    plan(wish: { params: { id: string } } & Manner): Promise<{ devices: number; members: number; keysInBrowser: number; assigned: number; targets: Array<{ id: string; name: string; server: string | null; status: "connected" | "pending" | "error" | "silent"; free: number; capacity: number }> }>;
    /**
     * Close a server to new configs and move its devices to another; continues by itself until done. Repeating returns the running one.
     * `POST /admin/servers/{id}/empty`, scope `servers:write`.
     * Refused with: server.not_found, server.being_emptied, server.takes_none.
     */
    start(wish: { params: { id: string }; body: { toServerId: string } } & Manner): Promise<{ kind: "server" | "interface"; from: { id: string; name: string }; to: { id: string; name: string }; by: string | null; state: "running" | "done" | "stopped"; startedAt: string; endedAt: string | null; total: number; moved: number; stayed: Record<string, number>; goesAt: string | null }>;
    /**
     * End a drain; what was moved stays moved, and the server stays closed.
     * `POST /admin/servers/{id}/empty/stop`, scope `servers:write`.
     * Refused with: server.not_found.
     */
    stop(wish: { params: { id: string } } & Manner): Promise<{ kind: "server" | "interface"; from: { id: string; name: string }; to: { id: string; name: string }; by: string | null; state: "running" | "done" | "stopped"; startedAt: string; endedAt: string | null; total: number; moved: number; stayed: Record<string, number>; goesAt: string | null } | null>;
    /**
     * What a drain of this interface would move, and where to.
     * `GET /admin/servers/interfaces/{id}/emptying`, scope `servers:read`.
     * Refused with: interface.not_found.
     */
    planOfInterface(wish: { params: { id: string } } & Manner): Promise<{ devices: number; members: number; keysInBrowser: number; assigned: number; targets: Array<{ id: string; name: string; server: string | null; status: "connected" | "pending" | "error" | "silent"; free: number; capacity: number }> }>;
    /**
     * Close an interface to new configs and move its devices to another; continues by itself until done. Repeating returns the running one.
     * `POST /admin/servers/interfaces/{id}/empty`, scope `servers:write`.
     * Refused with: interface.not_found, interface.being_emptied, interface.takes_none.
     */
    startOfInterface(wish: { params: { id: string }; body: { toInterfaceId: string } } & Manner): Promise<{ kind: "server" | "interface"; from: { id: string; name: string }; to: { id: string; name: string }; by: string | null; state: "running" | "done" | "stopped"; startedAt: string; endedAt: string | null; total: number; moved: number; stayed: Record<string, number>; goesAt: string | null }>;
    /**
     * Give an interface's devices new AmneziaWG parameters: on a second interface next to it, to which they move. The first one works until they connect there, for at most so many days, and is then deleted. Repeating returns the running one.
     * `POST /admin/servers/interfaces/{id}/rotate`, scope `servers:write`.
     * Refused with: interface.not_found, interface.being_emptied, interface.takes_none, interface.no_room, interface.not_up, server.not_found, server.unreachable.
     */
    rotate(wish: { params: { id: string }; body: { version?: "2.0" | "3.1"; preset: "ordinary" | "mobile" | "dns" | "quic"; days?: number } } & Manner): Promise<{ kind: "server" | "interface"; from: { id: string; name: string }; to: { id: string; name: string }; by: string | null; state: "running" | "done" | "stopped"; startedAt: string; endedAt: string | null; total: number; moved: number; stayed: Record<string, number>; goesAt: string | null }>;
    /**
     * End a drain; what was moved stays moved, and the interface stays closed.
     * `POST /admin/servers/interfaces/{id}/empty/stop`, scope `servers:write`.
     * Refused with: interface.not_found.
     */
    stopOfInterface(wish: { params: { id: string } } & Manner): Promise<{ kind: "server" | "interface"; from: { id: string; name: string }; to: { id: string; name: string }; by: string | null; state: "running" | "done" | "stopped"; startedAt: string; endedAt: string | null; total: number; moved: number; stayed: Record<string, number>; goesAt: string | null } | null>;
  };
  outageDetection: {
    /**
     * How many devices of an interface should have been online in the last 24 hours or 30 days, and how many were; steps without a reading are left out.
     * `GET /admin/servers/interfaces/{id}/reach`, scope `servers:read`.
     * Refused with: interface.not_found.
     */
    read(wish: { params: { id: string }; query?: { span?: "day" | "month" } } & Manner): Promise<{ tunnel: { type: "wireguard" | "amneziawg"; version: "2.0" | "3.1" | null }; step: number; from: string; to: string; points: Array<{ at: string; expected: number; online: number }> }>;
  };
  accessRules: {
    /**
     * Access rules, newest first; a moderator does not see rules only for VIP members.
     * `GET /admin/rules`, scope `rules:read`.
     */
    list(wish?: { query?: { limit?: number; cursor?: string; q?: string; type?: "blacklist" | "whitelist"; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; type: "blacklist" | "whitelist"; target: string; appliesTo: "all" | string[]; group: { id: string; name: string } | null; memberCount: number | null; createdAt: string; domain: { addresses: string[]; foundAt: string | null; failingSince: string | null; failure: "not_found" | "unavailable" | null } | null }>>>;
    /**
     * Add an access rule; answers once it is in force, or after a few seconds if a server does not respond.
     * `POST /admin/rules`, scope `rules:write`.
     * Refused with: rule.target_invalid, rule.target_closed, rule.exists, rule.member_unknown, group.unknown, rule.too_many, rule.too_many_selected.
     */
    add(wish: { body: { type?: "blacklist" | "whitelist"; target: string; appliesTo?: "all" | string[] | { groupId: string } } } & Manner): Promise<{ id: string; type: "blacklist" | "whitelist"; target: string; appliesTo: "all" | string[]; group: { id: string; name: string } | null; memberCount: number | null; createdAt: string; domain: { addresses: string[]; foundAt: string | null; failingSince: string | null; failure: "not_found" | "unavailable" | null } | null }>;
    /**
     * Delete an access rule.
     * `DELETE /admin/rules/{id}`, scope `rules:write`.
     * Refused with: rule.not_found.
     */
    remove(wish: { params: { id: string } } & Manner): Promise<void>;
    /**
     * The members a rule is for, by name; empty if it is for everyone.
     * `GET /admin/rules/{id}/members`, scope `rules:read`.
     * Refused with: rule.not_found.
     */
    members(wish: { params: { id: string }; query?: { limit?: number; cursor?: string; q?: string; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; username: string; displayName: string }>>>;
    /**
     * Whether each server has the current rules; a moderator's answer leaves out rules that are only for VIP members.
     * `GET /admin/rules/servers`, scope `rules:read`.
     */
    servers(wish?: { query?: { as?: "moderator" } } & Manner): Promise<Array<{ id: string; name: string; state: "in_force" | "pending"; appliedAt: string | null; reason: string | null; why: { code: string; ru: string; en: string; said: string | null } | null }>>;
    /**
     * Whether this member can reach this address through the tunnel, and what decides it.
     * `GET /admin/rules/check`, scope `rules:read`.
     * Refused with: member.not_found, rule.target_invalid, rule.check_network.
     */
    check(wish: { query: { userId: string; target: string; as?: "moderator" } } & Manner): Promise<{ member: { id: string; username: string; displayName: string }; target: string; verdict: "reaches" | "partly" | "closed"; obstacle: "blocked" | "quota" | "expired" | "none" | "no_devices" | "devices_off" | "not_applied" | null; failure: "not_found" | "unavailable" | null; places: Array<{ address: string; open: boolean; by: "default" | "whitelist" | "blacklist" | "closed" | "closed_port" | "no_ipv6" | "routing" | "exit_down"; closedBecause: "members" | "private" | "loopback" | "link_local" | "special" | null; rule: { id: string; type: "blacklist" | "whitelist"; target: string; appliesTo: "all" | "selected"; group: { id: string; name: string } | null } | null }>; beside: string[]; exits: Array<{ device: string; address: string; exit: "direct" | "closed" | "server"; server: string | null; link: "up" | "down" | "stuck" | "making" | "missing" | null; downSince: string | null; instead: "wait" | "direct" | "other" | null; other: string | null; service: string | null }> }>;
  };
  interfaces: {
    /**
     * All interfaces of all servers.
     * `GET /admin/servers/interfaces`, scope `servers:read`.
     */
    list(wish?: { query?: { as?: "moderator" } } & Manner): Promise<Array<{ id: string; name: string; serverId: string; interfaceName: string; listenPort: number; subnet: string; subnetV6: string | null; endpoint: string | null; mtu: number | null; isActive: boolean; takesNew: boolean; routing: "device" | "server"; restExit: string; exitDown: string; exitLink: "wireguard" | "amneziawg"; createdAt: string; server_id: string; interface_name: string; listen_port: number; is_active: 0 | 1; created_at: string; type: "wireguard" | "amneziawg"; amneziawg: { version: "2.0" | "3.1"; parameters: Record<string, string>; mtu: number } | null; serverName: string; conflict: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; probe: { state: "answers" | "closed" | "not_running" | "unresolved" | "untried" | "away"; since: string; fromInside: boolean } | null; goneSince: string | null; configCount: number; capacity: number; peerCount: number; toDownload: number; leavingCount: number; assignedCount: number }>>;
    /**
     * The interfaces of a server.
     * `GET /admin/servers/{id}/interfaces`, scope `servers:read`.
     * Refused with: server.not_found.
     */
    ofServer(wish: { params: { id: string }; query?: { as?: "moderator" } } & Manner): Promise<Array<{ id: string; name: string; serverId: string; interfaceName: string; listenPort: number; subnet: string; subnetV6: string | null; endpoint: string | null; mtu: number | null; isActive: boolean; takesNew: boolean; routing: "device" | "server"; restExit: string; exitDown: string; exitLink: "wireguard" | "amneziawg"; createdAt: string; server_id: string; interface_name: string; listen_port: number; is_active: 0 | 1; created_at: string; type: "wireguard" | "amneziawg"; amneziawg: { version: "2.0" | "3.1"; parameters: Record<string, string>; mtu: number } | null; serverName: string; conflict: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; probe: { state: "answers" | "closed" | "not_running" | "unresolved" | "untried" | "away"; since: string; fromInside: boolean } | null; goneSince: string | null; configCount: number; capacity: number; peerCount: number; toDownload: number; leavingCount: number; assignedCount: number }>>;
    /**
     * Create the next interface, with the next name, port and subnet that are free on the machine.
     * `POST /admin/servers/{serverId}/create-interface`, scope `servers:write`.
     * Refused with: server.not_found, server.unreachable, interface.no_room, interface.parameter_invalid, interface.cannot_route, exit.not_found, exit.cannot_route, exit.cannot_disguise.
     */
    create(wish: { params: { serverId: string }; body?: { name?: string; prefix?: 24 | 22 | 20 | 18; ipv6?: boolean; mtu?: number | null; amneziawg?: { version?: "2.0" | "3.1"; preset: "ordinary" | "mobile" | "dns" | "quic" }; routing?: "device" | "server"; restExit?: string; exitDown?: string; exitLink?: "wireguard" | "amneziawg" } } & Manner): Promise<{ success: true; interface: { id: string; name: string; serverId: string; interfaceName: string; listenPort: number; subnet: string; subnetV6: string | null; endpoint: string | null; mtu: number | null; isActive: boolean; takesNew: boolean; routing: "device" | "server"; restExit: string; exitDown: string; exitLink: "wireguard" | "amneziawg"; createdAt: string; server_id: string; interface_name: string; listen_port: number; is_active: 0 | 1; created_at: string; type: "wireguard" | "amneziawg"; amneziawg: { version: "2.0" | "3.1"; parameters: Record<string, string>; mtu: number } | null; serverName: string; conflict: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; probe: { state: "answers" | "closed" | "not_running" | "unresolved" | "untried" | "away"; since: string; fromInside: boolean } | null; goneSince: string | null; configCount: number; capacity: number; peerCount: number; toDownload: number; leavingCount: number; assignedCount: number } }>;
    /**
     * Whether a server's machine can run AmneziaWG tunnels.
     * `GET /admin/servers/{id}/amneziawg`, scope `servers:read`.
     * Refused with: server.not_found, server.unreachable.
     */
    amneziawg(wish: { params: { id: string } } & Manner): Promise<{ lacks: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; module: string | null }>;
    /**
     * Rename an interface; moderators need an admin to switch that on.
     * `PUT /admin/servers/{serverId}/interfaces/{interfaceId}`, scope `servers:write`.
     * Refused with: auth.forbidden, interface.not_found, interface.changed_meanwhile.
     */
    rename(wish: { params: { serverId: string; interfaceId: string }; body: { name: string; expected?: { name: string } } } & Manner): Promise<{ id: string; name: string; serverId: string; interfaceName: string; listenPort: number; subnet: string; subnetV6: string | null; endpoint: string | null; mtu: number | null; isActive: boolean; takesNew: boolean; routing: "device" | "server"; restExit: string; exitDown: string; exitLink: "wireguard" | "amneziawg"; createdAt: string; server_id: string; interface_name: string; listen_port: number; is_active: 0 | 1; created_at: string; type: "wireguard" | "amneziawg"; amneziawg: { version: "2.0" | "3.1"; parameters: Record<string, string>; mtu: number } | null; serverName: string; conflict: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; probe: { state: "answers" | "closed" | "not_running" | "unresolved" | "untried" | "away"; since: string; fromInside: boolean } | null; goneSince: string | null; configCount: number; capacity: number; peerCount: number; toDownload: number; leavingCount: number; assignedCount: number }>;
    /**
     * Delete an interface and the configs on it; the caller states how many configs that is.
     * `DELETE /admin/servers/{serverId}/interfaces/{interfaceId}`, scope `servers:write`.
     * Refused with: interface.not_found, interface.in_use.
     */
    remove(wish: { params: { serverId: string; interfaceId: string }; query?: { configs?: number } } & Manner): Promise<void>;
    /**
     * Change an interface; a new port, endpoint or MTU marks configs for a new download.
     * `PUT /admin/wireguard/{serverId}/interfaces/{id}`, scope `servers:write`.
     * Refused with: interface.not_found, interface.endpoint_invalid, interface.subnet_invalid, interface.subnet_taken, interface.subnet_in_use, interface.port_taken, interface.parameter_invalid, interface.cuts_off, interface.cannot_route, exit.not_found, exit.cannot_route, exit.cannot_disguise, server.unreachable, interface.changed_meanwhile.
     */
    change(wish: { params: { serverId: string; id: string }; body?: { name?: string; listenPort?: number; subnet?: string; endpoint?: string | null; mtu?: number | null; isActive?: boolean | 0 | 1 | "0" | "1"; takesNew?: boolean | 0 | 1 | "0" | "1"; routing?: "device" | "server"; restExit?: string; exitDown?: string; exitLink?: "wireguard" | "amneziawg"; ipv6?: boolean; amneziawg?: Record<string, string>; cutsOff?: number; expected?: { name?: string; listenPort?: number; subnet?: string; endpoint?: string | null; mtu?: number | null; isActive?: boolean; takesNew?: boolean; routing?: "device" | "server"; restExit?: string; exitDown?: string; exitLink?: "wireguard" | "amneziawg"; ipv6?: boolean; amneziawg?: Record<string, string> } } } & Manner): Promise<{ id: string; name: string; serverId: string; interfaceName: string; listenPort: number; subnet: string; subnetV6: string | null; endpoint: string | null; mtu: number | null; isActive: boolean; takesNew: boolean; routing: "device" | "server"; restExit: string; exitDown: string; exitLink: "wireguard" | "amneziawg"; createdAt: string; server_id: string; interface_name: string; listen_port: number; is_active: 0 | 1; created_at: string; type: "wireguard" | "amneziawg"; amneziawg: { version: "2.0" | "3.1"; parameters: Record<string, string>; mtu: number } | null; serverName: string; conflict: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; probe: { state: "answers" | "closed" | "not_running" | "unresolved" | "untried" | "away"; since: string; fromInside: boolean } | null; goneSince: string | null; configCount: number; capacity: number; peerCount: number; toDownload: number; leavingCount: number; assignedCount: number }>;
    /**
     * Assign an interface to a member; moderators need an admin to switch that on.
     * `POST /admin/servers/interfaces/assign`, scope `servers:write`.
     * Refused with: auth.forbidden, interface.not_found, member.not_found.
     */
    assign(wish: { body: { userId: string; interfaceId: string } } & Manner): Promise<{ userId: string; username: string; displayName: string }>;
    /**
     * Unassign an interface from a member; existing configs on it stay.
     * `DELETE /admin/servers/interfaces/assign/{userId}/{interfaceId}`, scope `servers:write`.
     * Refused with: auth.forbidden, interface.not_found, member.not_found.
     */
    unassign(wish: { params: { userId: string; interfaceId: string } } & Manner): Promise<void>;
    /**
     * Interfaces assigned to a member.
     * `GET /admin/servers/interfaces/user/{userId}`, scope `servers:read`.
     * Refused with: member.not_found.
     */
    ofMember(wish: { params: { userId: string } } & Manner): Promise<Array<{ id: string; name: string; serverId: string; interfaceName: string; listenPort: number; subnet: string; subnetV6: string | null; endpoint: string | null; mtu: number | null; isActive: boolean; takesNew: boolean; routing: "device" | "server"; restExit: string; exitDown: string; exitLink: "wireguard" | "amneziawg"; createdAt: string; server_id: string; interface_name: string; listen_port: number; is_active: 0 | 1; created_at: string; type: "wireguard" | "amneziawg"; amneziawg: { version: "2.0" | "3.1"; parameters: Record<string, string>; mtu: number } | null; serverName: string; conflict: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; probe: { state: "answers" | "closed" | "not_running" | "unresolved" | "untried" | "away"; since: string; fromInside: boolean } | null; goneSince: string | null; configCount: number; capacity: number; peerCount: number; toDownload: number; leavingCount: number; assignedCount: number }>>;
    /**
     * Members an interface is assigned to.
     * `GET /admin/servers/interfaces/{id}/users`, scope `servers:read`.
     * Refused with: interface.not_found.
     */
    assigned(wish: { params: { id: string }; query?: { limit?: number; cursor?: string; q?: string; as?: "moderator" } } & Manner): Promise<Page<Array<{ userId: string; username: string; displayName: string }>>>;
  };
  exits: {
    /**
     * Servers by which others' traffic can leave, and the links to them.
     * `GET /admin/exits`, scope `servers:read`.
     */
    list(wish?: Manner): Promise<{ servers: Array<{ id: string; name: string }>; links: Array<{ entryId: string; entryName: string; exitId: string; exitName: string; state: "up" | "down" | "stuck" | "making" | "missing"; downSince: string | null; problems: Array<{ server: string; why: { code: string; ru: string; en: string; said: string | null } }>; port: number | null }> }>;
  };
  rights: {
    /**
     * What you may do in the administration area.
     * `GET /admin/rights`, scope `profile:read`.
     */
    own(wish?: { query?: { as?: "moderator" } } & Manner): Promise<{ actions: Array<"area.enter" | "members.see" | "members.see_vip" | "members.change" | "members.delete" | "members.send_password_link" | "members.reset_two_factor" | "notes.write" | "notes.delete_any" | "payments.see" | "payments.set" | "payments.set_not_required" | "invites.see" | "invites.create" | "invites.change" | "configs.see_all" | "configs.change_any" | "configs.delete_any" | "traffic.see" | "catalog.change" | "servers.see" | "servers.see_secrets" | "servers.change" | "interfaces.see" | "interfaces.rename" | "interfaces.assign" | "interfaces.change" | "rules.see" | "rules.change" | "support.answer" | "answer_templates.change" | "telegram.notify" | "audit.see" | "webhooks.change" | "settings.change" | "system.see" | "system.change"> }>;
  };
  inbox: {
    /**
     * Your notices, newest first.
     * `GET /inbox`, scope `notices:read`.
     */
    list(wish?: { query?: { limit?: number; cursor?: string } } & Manner): Promise<Page<Array<{ id: string; createdAt: string; readAt: string | null; kind: "subscription_ends"; params: { days: 1 | 3; endsAt: string } } | { id: string; createdAt: string; readAt: string | null; kind: "subscription_ended"; params: { endedAt: string } } | { id: string; createdAt: string; readAt: string | null; kind: "referral_ends"; params: { days: 1 | 3; endsAt: string; friend: string } } | { id: string; createdAt: string; readAt: string | null; kind: "referral_ended"; params: { endedAt: string } } | { id: string; createdAt: string; readAt: string | null; kind: "friend_connected"; params: { friend: string } } | { id: string; createdAt: string; readAt: string | null; kind: "referral_earned"; params: { friends: number } } | { id: string; createdAt: string; readAt: string | null; kind: "payment_recorded"; params: { period: string; months?: number; until: string | null } } | { id: string; createdAt: string; readAt: string | null; kind: "payment_taken_back"; params: { period: string; months?: number; until: string | null } } | { id: string; createdAt: string; readAt: string | null; kind: "subscription_extended"; params: { until: string } } | { id: string; createdAt: string; readAt: string | null; kind: "payment_undone"; params: { period: string; months?: number; until: string | null } } | { id: string; createdAt: string; readAt: string | null; kind: "extension_undone"; params: { until: string | null } } | { id: string; createdAt: string; readAt: string | null; kind: "quota_nearly"; params: { bytes: number; atEnd: "tell" | "slow" | "cut"; slowMbit?: number; resetsAt: string } } | { id: string; createdAt: string; readAt: string | null; kind: "quota_used_up"; params: { bytes: number; atEnd: "tell" | "slow" | "cut"; slowMbit?: number; resetsAt: string } } | { id: string; createdAt: string; readAt: string | null; kind: "config_made"; params: { name: string } } | { id: string; createdAt: string; readAt: string | null; kind: "device_connected"; params: { name: string } } | { id: string; createdAt: string; readAt: string | null; kind: "config_moved"; params: { name: string; until: string | null; needsAmneziawg?: boolean } } | { id: string; createdAt: string; readAt: string | null; kind: "configs_moved"; params: { names: string[]; until: string | null; needsAmneziawg?: boolean } } | { id: string; createdAt: string; readAt: string | null; kind: "files_outdated"; params: { names: string[] } } | { id: string; createdAt: string; readAt: string | null; kind: "devices_unseen"; params: { names: string[]; stage: "soon" | "off" | "deleted"; at: string } } | { id: string; createdAt: string; readAt: string | null; kind: "devices_end"; params: { names: string[]; stage: "soon" | "ended" | "deleted"; at: string } } | { id: string; createdAt: string; readAt: string | null; kind: "service_added"; params: { name: string } } | { id: string; createdAt: string; readAt: string | null; kind: "config_deleted"; params: { names: string[] } } | { id: string; createdAt: string; readAt: string | null; kind: "lost_device_reported"; params: { asksStaff: boolean } } | { id: string; createdAt: string; readAt: string | null; kind: "lost_device_cut"; params: { name: string } } | { id: string; createdAt: string; readAt: string | null; kind: "passkey_added"; params: { name: string } } | { id: string; createdAt: string; readAt: string | null; kind: "passkey_copied"; params: { name: string } } | { id: string; createdAt: string; readAt: string | null; kind: "passkeys_reset"; params: { by: "staff" | "password" | "lost_device" } } | { id: string; createdAt: string; readAt: string | null; kind: "support_reply"; params: { ticketId: string | null } } | { id: string; createdAt: string; readAt: string | null; kind: "maintenance_began"; params: { since: string } } | { id: string; createdAt: string; readAt: string | null; kind: "maintenance_ended"; params: { since: string; until: string } } | { id: string; createdAt: string; readAt: string | null; kind: "staff_message"; params: { text: string } } | { id: string; createdAt: string; readAt: string | null; kind: "ticket_opened"; params: { ticketId: string; subject: string; member: string } } | { id: string; createdAt: string; readAt: string | null; kind: "member_joined"; params: { memberId: string; username: string } } | { id: string; createdAt: string; readAt: string | null; kind: "joining_limited"; params: { by: "address" | "code"; codeId: string | null } } | { id: string; createdAt: string; readAt: string | null; kind: "codes_guessed"; params: { wrongCodes: number } } | { id: string; createdAt: string; readAt: string | null; kind: "daily_digest"; params: { day: string; joined: number; payments: number; received: Array<{ amount: string; currency: string }>; ended: number; devices: number; bytes: number; ending: number; claims: number; conversations: number; tickets: number; servers: string[] } } | { id: string; createdAt: string; readAt: string | null; kind: "member_wrote"; params: { ticketId: string | null; member: string; text: string; images: number } } | { id: string; createdAt: string; readAt: string | null; kind: "payment_claimed"; params: { claimId: string; member: string; period: string; months?: number; sum: Array<{ amount: string; currency: string }>; receipt: boolean } } | { id: string; createdAt: string; readAt: string | null; kind: "server_gone"; params: { server: string; since: string; serverId?: string } } | { id: string; createdAt: string; readAt: string | null; kind: "server_back"; params: { server: string; since: string; until: string } } | { id: string; createdAt: string; readAt: string | null; kind: "forwarding_refused"; params: { server: string } } | { id: string; createdAt: string; readAt: string | null; kind: "forwarding_back"; params: { server: string; since: string; until: string } } | { id: string; createdAt: string; readAt: string | null; kind: "exit_gone"; params: { exit: string; server: string; since: string; because: "silent" | "stuck" } } | { id: string; createdAt: string; readAt: string | null; kind: "exit_back"; params: { exit: string; server: string; since: string; until: string } } | { id: string; createdAt: string; readAt: string | null; kind: "interface_gone"; params: { interface: string; server: string; since: string } } | { id: string; createdAt: string; readAt: string | null; kind: "interface_back"; params: { interface: string; server: string; since: string; until: string } } | { id: string; createdAt: string; readAt: string | null; kind: "addresses_low"; params: { interface: string; server: string; free: number } } | { id: string; createdAt: string; readAt: string | null; kind: "backup_late"; params: { since: string } } | { id: string; createdAt: string; readAt: string | null; kind: "webhook_off"; params: { host: string; because: "gone" | "failing" } } | { id: string; createdAt: string; readAt: string | null; kind: "source_waits"; params: { source: string; services: string[] } } | { id: string; createdAt: string; readAt: string | null; kind: "source_failing"; params: { source: string; services: string[]; since: string } } | { id: string; createdAt: string; readAt: string | null; kind: "unknown_peers"; params: { interface: string; server: string; count: number } } | { id: string; createdAt: string; readAt: string | null; kind: "counters_refused"; params: { server: string } }>>>;
    /**
     * How many of your notices are unseen.
     * `GET /inbox/unread`, scope `notices:read`.
     */
    unread(wish?: Manner): Promise<{ unread: number }>;
    /**
     * Mark these notices as seen, or all of yours without ids; other people's and unknown ids change nothing.
     * `POST /inbox/read`, scope `notices:write`.
     */
    read(wish?: { body?: { ids?: string[] } } & Manner): Promise<{ unread: number }>;
    /**
     * Write to a member's inbox in your own words.
     * `POST /telegram/notify/{userId}`, scope `notices:write`.
     * Refused with: member.not_found.
     */
    notify(wish: { params: { userId: string }; body: { message: string } } & Manner): Promise<{ success: true }>;
  };
  outbox: {
    /**
     * Which of your notices are sent outside the panel too: to Telegram and to browsers.
     * `GET /inbox/choices`, scope `notices:read`.
     */
    choices(wish?: Manner): Promise<Record<string, boolean>>;
    /**
     * Choose which of your notices are sent outside the panel too; absent fields stay.
     * `PUT /inbox/choices`, scope `notices:write`.
     */
    choose(wish?: { body?: { subscription?: boolean; devices?: boolean; connections?: boolean; support?: boolean; club?: boolean; servers?: boolean; tickets?: boolean; chats?: boolean; claims?: boolean; joining?: boolean; digest?: boolean } } & Manner): Promise<Record<string, boolean>>;
    /**
     * Notices on their way to Telegram and to browsers, and those that could not be sent.
     * `GET /admin/outbox`, scope `system:read`.
     */
    standing(wish?: Manner): Promise<{ telegram: { waiting: number; failed: number; reason: string | null; why: { code: string; ru: string; en: string; said: string | null } | null }; push: { waiting: number; failed: number; reason: string | null; why: { code: string; ru: string; en: string; said: string | null } | null } }>;
  };
  statistics: {
    /**
     * How many configs exist, are in use, are new, and wait to be applied.
     * `GET /admin/statistics/now`, scope `statistics:read`.
     */
    now(wish?: { query?: { as?: "moderator" } } & Manner): Promise<{ configs: number; online: number; newInWeek: number; pending: number; servers: Array<{ id: string; name: string; online: number; pending: number; status: "connected" | "pending" | "error" | "silent"; unreachableSince: string | null }> }>;
    /**
     * What all devices, or those of one member, used in a span, step by step, including deleted ones.
     * `GET /admin/statistics/traffic`, scope `statistics:read`.
     * Refused with: statistics.span_backwards, statistics.span_in_future, member.not_found.
     */
    traffic(wish?: { query?: { span?: "day" | "month" | "year"; from?: string; to?: string; as?: "moderator"; member?: string } } & Manner): Promise<{ zone: string; from: string; to: string; step: "hour" | "day" | "month"; received: number; sent: number; steps: Array<{ at: string; received: number; sent: number }> }>;
    /**
     * Traffic of a span by member, service, interface, server and device type, the most first.
     * `GET /admin/statistics/breakdown`, scope `statistics:read`.
     * Refused with: statistics.span_backwards, statistics.span_in_future.
     */
    breakdown(wish?: { query?: { span?: "day" | "month" | "year"; from?: string; to?: string; as?: "moderator"; limit?: number } } & Manner): Promise<{ zone: string; from: string; to: string; step: "hour" | "day" | "month"; received: number; sent: number; members: Array<{ member: { id: string; username: string; displayName: string }; configs: number; received: number; sent: number }>; services: Array<{ id: string; name: string; configs: number; received: number; sent: number }>; interfaces: Array<{ id: string; name: string; serverId: string; serverName: string; configs: number; received: number; sent: number }>; devices: Array<{ deviceType: "computer" | "phone"; configs: number; received: number; sent: number }> }>;
  };
  support: {
    /**
     * Your chat with support, or the thread of a ticket: the newest page, oldest first.
     * `GET /support/messages`, scope `support:read`.
     * Refused with: support.ticket_not_found.
     */
    messages(wish?: { query?: { ticketId?: string; limit?: number; cursor?: number; after?: number } } & Manner): Promise<Page<Array<{ id: string; sequence: number; userId: string; ticketId: string | null; content: string; isAdmin: boolean; attachments: string[]; createdAt: string; readAt: string | null }>>>;
    /**
     * Write to support: text, up to 4 images of 5 MB (PNG, JPEG, WebP, GIF), uploaded before or as data URLs, or both; an Idempotency-Key header makes a repeated request safe.
     * `POST /support/messages`, scope `support:write`.
     * Refused with: support.message_empty, support.message_too_long, support.too_many_images, support.image_invalid, picture.too_detailed, picture.upload_gone, support.ticket_not_found, support.ticket_closed, request.idempotency_mismatch, support.images_a_day.
     */
    send(wish?: { body?: { content?: string; attachments?: string[]; ticketId?: string | null } } & Manner): Promise<{ id: string; sequence: number; userId: string; ticketId: string | null; content: string; isAdmin: boolean; attachments: string[]; createdAt: string; readAt: string | null }>;
    /**
     * How many of support's answers you have not seen.
     * `GET /support/unread`, scope `support:read`.
     */
    unread(wish?: Manner): Promise<{ unread: number; chat: number }>;
    /**
     * Mark support's messages as seen up to a sequence, in the chat or in a ticket.
     * `POST /support/read`, scope `support:write`.
     */
    read(wish: { body: { upTo: number; ticketId?: string | null } } & Manner): Promise<{ unread: number; chat: number }>;
    /**
     * An image of a message, for the conversation's member and elevated staff.
     * `GET /support/attachments/{id}`, scope `support:read`.
     * Refused with: support.attachment_not_found, auth.two_factor_required.
     */
    attachment(wish: { params: { id: string } } & Manner): Promise<Blob>;
    /**
     * Your tickets, newest first.
     * `GET /support/tickets`, scope `support:read`.
     * Refused with: support.ticket_not_found.
     */
    tickets(wish?: { query?: { limit?: number; cursor?: string } } & Manner): Promise<Page<Array<{ id: string; userId: string; subject: string; description: string; category: "general" | "technical" | "billing" | "feature"; priority: "low" | "medium" | "high"; status: "open" | "in_progress" | "closed"; unread: number; createdAt: string; updatedAt: string }>>>;
    /**
     * Open a ticket; an Idempotency-Key header makes a repeated request safe.
     * `POST /support/tickets`, scope `support:write`.
     * Refused with: support.subject_invalid, support.description_missing, support.message_too_long, request.idempotency_mismatch.
     */
    openTicket(wish: { body: { subject: string; description: string; category?: "general" | "technical" | "billing" | "feature"; priority?: "low" | "medium" | "high"; status?: "open"; service?: string } } & Manner): Promise<{ id: string; userId: string; subject: string; description: string; category: "general" | "technical" | "billing" | "feature"; priority: "low" | "medium" | "high"; status: "open" | "in_progress" | "closed"; unread: number; createdAt: string; updatedAt: string }>;
    /**
     * Members with a conversation, the last message first; `q` matches part of a name or a message; results are counted if they fit on one page.
     * `GET /admin/support/conversations`, scope `support:read`.
     */
    conversations(wish?: { query?: { limit?: number; cursor?: string; q?: string; show?: "all" | "waiting" | "unread" | "mine"; userId?: string; as?: "moderator" } } & Manner): Promise<Page<Array<{ userId: string; username: string; displayName: string; unread: number; openTickets: number; waitingSince: string | null; assignedTo: { id: string; displayName: string } | null; lastMessage: { id: string; sequence: number; userId: string; ticketId: string | null; content: string; isAdmin: boolean; attachments: string[]; createdAt: string; readAt: string | null; authorName: string | null }; found: { id: string; sequence: number; userId: string; ticketId: string | null; content: string; isAdmin: boolean; attachments: string[]; createdAt: string; readAt: string | null; authorName: string | null } | null }>>>;
    /**
     * How many conversations have something unseen, and how many tickets are in each state.
     * `GET /admin/support/waiting`, scope `support:read`.
     */
    waiting(wish?: { query?: { as?: "moderator" } } & Manner): Promise<{ unread: number; conversations: number; tickets: { open: number; in_progress: number; closed: number } }>;
    /**
     * Staff to whom a ticket or a conversation can be assigned.
     * `GET /admin/support/colleagues`, scope `support:read`.
     */
    colleagues(wish?: Manner): Promise<Array<{ id: string; displayName: string }>>;
    /**
     * A member's chat, or the thread of a ticket: the newest page, oldest first.
     * `GET /admin/support/conversations/{userId}/messages`, scope `support:read`.
     * Refused with: member.not_found, support.ticket_not_found.
     */
    conversation(wish: { params: { userId: string }; query?: { ticketId?: string; limit?: number; cursor?: number; after?: number } } & Manner): Promise<Page<Array<{ id: string; sequence: number; userId: string; ticketId: string | null; content: string; isAdmin: boolean; attachments: string[]; createdAt: string; readAt: string | null; authorName: string | null }>>>;
    /**
     * Write to a member, as an answer or first; an Idempotency-Key header makes a repeated request safe.
     * `POST /admin/support/conversations/{userId}/messages`, scope `support:write`.
     * Refused with: support.message_empty, support.message_too_long, support.too_many_images, support.image_invalid, picture.too_detailed, picture.upload_gone, support.ticket_not_found, support.ticket_closed, request.idempotency_mismatch, member.not_found.
     */
    answer(wish: { params: { userId: string }; body?: { content?: string; attachments?: string[]; ticketId?: string | null } } & Manner): Promise<{ id: string; sequence: number; userId: string; ticketId: string | null; content: string; isAdmin: boolean; attachments: string[]; createdAt: string; readAt: string | null; authorName: string | null }>;
    /**
     * Mark a member's messages as seen by staff up to a sequence, in the chat or in a ticket.
     * `POST /admin/support/conversations/{userId}/read`, scope `support:write`.
     * Refused with: member.not_found.
     */
    readConversation(wish: { params: { userId: string }; body: { upTo: number; ticketId?: string | null } } & Manner): Promise<{ unread: number; chat: number }>;
    /**
     * Say that a conversation needs no answer, or does after all; messages after `upTo` keep waiting. Returns since when it waits.
     * `PUT /admin/support/conversations/{userId}/waiting`, scope `support:write`.
     * Refused with: member.not_found.
     */
    setWaiting(wish: { params: { userId: string }; body: { waiting: boolean | 0 | 1 | "0" | "1"; upTo: number } } & Manner): Promise<{ waitingSince: string | null }>;
    /**
     * Take a conversation, assign it to somebody else on staff, or unassign it.
     * `PUT /admin/support/conversations/{userId}/assignee`, scope `support:write`.
     * Refused with: member.not_found, support.conversation_not_found, support.assignee_unknown, support.assignee_sees_not, support.conversation_changed_meanwhile.
     */
    assignConversation(wish: { params: { userId: string }; body: { assignedTo: string | null; expected?: { assignedTo: string | null } } } & Manner): Promise<{ assignedTo: { id: string; displayName: string } | null }>;
    /**
     * Tickets, newest first; `q` matches part of the subject or of the member's name; results are counted if they fit on one page.
     * `GET /admin/support/tickets`, scope `support:read`.
     * Refused with: support.ticket_not_found.
     */
    allTickets(wish?: { query?: { limit?: number; cursor?: string; q?: string; status?: "all" | "open" | "in_progress" | "closed"; hands?: "any" | "mine" | "nobody"; userId?: string; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; userId: string; subject: string; description: string; category: "general" | "technical" | "billing" | "feature"; priority: "low" | "medium" | "high"; status: "open" | "in_progress" | "closed"; unread: number; createdAt: string; updatedAt: string; username: string; displayName: string; assignedTo: { id: string; displayName: string } | null; lostDevice: "asked" | "cut" | "declined" | null; lostCut: Array<{ id: string; name: string }> | null; wishedService: { name: string; isAdded: boolean } | null }>>>;
    /**
     * Move a ticket forward (open, in_progress, closed) or assign it.
     * `PUT /admin/support/tickets/{id}`, scope `support:write`.
     * Refused with: support.ticket_not_found, support.ticket_backwards, support.assignee_unknown, support.assignee_sees_not, support.ticket_changed_meanwhile.
     */
    changeTicket(wish: { params: { id: string }; body?: { status?: "open" | "in_progress" | "closed"; assignedTo?: string | null; expected?: { status?: "open" | "in_progress" | "closed"; assignedTo?: string | null } } } & Manner): Promise<{ id: string; userId: string; subject: string; description: string; category: "general" | "technical" | "billing" | "feature"; priority: "low" | "medium" | "high"; status: "open" | "in_progress" | "closed"; unread: number; createdAt: string; updatedAt: string; username: string; displayName: string; assignedTo: { id: string; displayName: string } | null; lostDevice: "asked" | "cut" | "declined" | null; lostCut: Array<{ id: string; name: string }> | null; wishedService: { name: string; isAdded: boolean } | null }>;
  };
  answerTemplates: {
    /**
     * The texts that staff start answers with, by title.
     * `GET /admin/support/answer-templates`, scope `support:read`.
     */
    list(wish?: Manner): Promise<Array<{ id: string; title: string; content: string }>>;
    /**
     * Add a text for answers; in it {имя} or {name} is the member's name, {логин} or {username} the username.
     * `POST /admin/support/answer-templates`, scope `support:write`.
     * Refused with: answer_template.too_many, answer_template.title_taken, answer_template.placeholder_unknown.
     */
    add(wish: { body: { title: string; content: string } } & Manner): Promise<{ id: string; title: string; content: string }>;
    /**
     * Change a text for answers; what was sent stays as it was.
     * `PUT /admin/support/answer-templates/{id}`, scope `support:write`.
     * Refused with: answer_template.not_found, answer_template.changed_meanwhile, answer_template.title_taken, answer_template.placeholder_unknown.
     */
    change(wish: { params: { id: string }; body?: { title?: string; content?: string; expected?: { title?: string; content?: string } } } & Manner): Promise<{ id: string; title: string; content: string }>;
    /**
     * Delete a text for answers; what was sent stays as it was.
     * `DELETE /admin/support/answer-templates/{id}`, scope `support:write`.
     * Refused with: answer_template.not_found.
     */
    remove(wish: { params: { id: string } } & Manner): Promise<void>;
  };
  search: {
    /**
     * The first few members, configs, invite codes, servers, interfaces and tickets with this text; a moderator's answer leaves out servers and VIP members.
     * `GET /admin/search`, scope `members:read`.
     */
    find(wish: { query: { q: string; as?: "moderator" } } & Manner): Promise<{ members: Array<{ id: string; username: string; displayName: string; isActive: boolean }>; configs: Array<{ id: string; name: string; address: string; interfaceName: string; owner: { id: string; username: string; displayName: string } }>; codes: Array<{ id: string; code: string; state: "active" | "expired" | "used" | "deactivated" }>; servers: Array<{ id: string; name: string; endpoint: string | null }>; interfaces: Array<{ id: string; name: string; subnet: string; serverId: string; serverName: string }>; tickets: Array<{ id: string; subject: string; status: "open" | "in_progress" | "closed"; owner: { id: string; username: string; displayName: string } }> }>;
  };
  security: {
    /**
     * The check's settings and how old its data is.
     * `GET /admin/security`, scope `system:read`.
     */
    settings(wish?: Manner): Promise<{ enabled: boolean; blockedCountries: string[]; exceptions: string[]; supportContact: string | null; mirrorUrl: string | null; countriesBuiltAt: string | null; hostingListOf: string | null; untrustedForwardingSince: string | null; unreadableForwardingSince: string | null }>;
  };
  audit: {
    /**
     * What staff did, newest first; `q` finds whom it concerns. X-Total-Count counts up to 10,000. A moderator's answer leaves out VIP members, servers and the system.
     * `GET /admin/audit`, scope `audit:read`.
     */
    list(wish?: { query?: { limit?: number; cursor?: string; q?: string; skip?: number; spare?: number; action?: "member.added" | "member.changed" | "member.deleted" | "member.password_link" | "member.password_reset" | "member.sessions_ended" | "member.left_staff" | "member.quota_reset" | "member.extension_undone" | "note.added" | "note.deleted" | "two_factor.enabled" | "two_factor.disabled" | "two_factor.reset" | "two_factor.codes_renewed" | "two_factor.recovery_used" | "two_factor.locked" | "passkey.added" | "passkey.renamed" | "passkey.removed" | "passkey.reset" | "passkey.copied" | "api_token.made" | "api_token.revoked" | "payment.status_set" | "payment.undone" | "payment.claim_declined" | "payment.settings_changed" | "invite.added" | "invite.changed" | "invite.deactivated" | "template.added" | "template.changed" | "template.deleted" | "group.added" | "group.changed" | "group.deleted" | "config.handed_over" | "config.link_made" | "config.link_revoked" | "config.link_opened" | "config.lost" | "config.deleted" | "config.moved_in" | "config.moved" | "config.blocked" | "config.unblocked" | "config.reactivated" | "config.end_changed" | "config.services_chosen" | "service.added" | "service.changed" | "service.deleted" | "service.list_accepted" | "service.list_refused" | "service.list_brought_back" | "dns.added" | "dns.changed" | "dns.deleted" | "rule.added" | "rule.deleted" | "server.added" | "server.changed" | "server.host_key_accepted" | "server.password_changed" | "server.setup_started" | "server.setup_completed" | "server.import_begun" | "server.import_reversed" | "server.import_kept" | "server.set_main" | "server.emptying_started" | "server.emptied" | "interface.emptying_started" | "interface.emptied" | "server.deleted" | "server.assigned" | "server.unassigned" | "interface.added" | "interface.moved_in" | "interface.changed" | "interface.deleted" | "interface.assigned" | "interface.unassigned" | "inbox.message_sent" | "support.answered" | "support.ticket_changed" | "support.waiting_set" | "support.conversation_assigned" | "support.hands_freed" | "answer_template.added" | "answer_template.changed" | "answer_template.deleted" | "webhook.added" | "webhook.changed" | "webhook.secret_replaced" | "webhook.switched_off" | "webhook.deleted" | "security.changed" | "telegram.changed" | "telegram.staff_confirmed" | "settings.changed" | "maintenance.switched" | "system.backup_taken" | "system.taken_over" | "config.taken_in" | "interface.unknown_disconnected" | "system.wipe_simulated" | "member" | "note" | "two_factor" | "passkey" | "api_token" | "payment" | "invite" | "template" | "group" | "config" | "service" | "dns" | "rule" | "server" | "interface" | "inbox" | "support" | "answer_template" | "webhook" | "security" | "telegram" | "settings" | "maintenance" | "system"; by?: string; from?: string; to?: string; as?: "moderator" } } & Manner): Promise<Page<Array<{ id: string; at: string; action: "member.added" | "member.changed" | "member.deleted" | "member.password_link" | "member.password_reset" | "member.sessions_ended" | "member.left_staff" | "member.quota_reset" | "member.extension_undone" | "note.added" | "note.deleted" | "two_factor.enabled" | "two_factor.disabled" | "two_factor.reset" | "two_factor.codes_renewed" | "two_factor.recovery_used" | "two_factor.locked" | "passkey.added" | "passkey.renamed" | "passkey.removed" | "passkey.reset" | "passkey.copied" | "api_token.made" | "api_token.revoked" | "payment.status_set" | "payment.undone" | "payment.claim_declined" | "payment.settings_changed" | "invite.added" | "invite.changed" | "invite.deactivated" | "template.added" | "template.changed" | "template.deleted" | "group.added" | "group.changed" | "group.deleted" | "config.handed_over" | "config.link_made" | "config.link_revoked" | "config.link_opened" | "config.lost" | "config.deleted" | "config.moved_in" | "config.moved" | "config.blocked" | "config.unblocked" | "config.reactivated" | "config.end_changed" | "config.services_chosen" | "service.added" | "service.changed" | "service.deleted" | "service.list_accepted" | "service.list_refused" | "service.list_brought_back" | "dns.added" | "dns.changed" | "dns.deleted" | "rule.added" | "rule.deleted" | "server.added" | "server.changed" | "server.host_key_accepted" | "server.password_changed" | "server.setup_started" | "server.setup_completed" | "server.import_begun" | "server.import_reversed" | "server.import_kept" | "server.set_main" | "server.emptying_started" | "server.emptied" | "interface.emptying_started" | "interface.emptied" | "server.deleted" | "server.assigned" | "server.unassigned" | "interface.added" | "interface.moved_in" | "interface.changed" | "interface.deleted" | "interface.assigned" | "interface.unassigned" | "inbox.message_sent" | "support.answered" | "support.ticket_changed" | "support.waiting_set" | "support.conversation_assigned" | "support.hands_freed" | "answer_template.added" | "answer_template.changed" | "answer_template.deleted" | "webhook.added" | "webhook.changed" | "webhook.secret_replaced" | "webhook.switched_off" | "webhook.deleted" | "security.changed" | "telegram.changed" | "telegram.staff_confirmed" | "settings.changed" | "maintenance.switched" | "system.backup_taken" | "system.taken_over" | "config.taken_in" | "interface.unknown_disconnected" | "system.wipe_simulated"; by: { id: string; username: string | null; displayName: string | null } | null; session: { id: string; device: string | null; apiToken: string | null } | null; via: "telegram" | null; target: { kind: "member" | "club" | "invite" | "template" | "group" | "config" | "service" | "dns" | "rule" | "server" | "interface" | "ticket" | "answer_template" | "webhook"; id: string | null }; member: { id: string; username: string | null; displayName: string | null } | null; before: Record<string, unknown> | null; after: Record<string, unknown> | null; names: Record<string, string> }>>>;
    /**
     * Staff, by name.
     * `GET /admin/audit/staff`, scope `audit:read`.
     */
    staff(wish?: { query?: { as?: "moderator" } } & Manner): Promise<Array<{ id: string; username: string; displayName: string; role: "user" | "moderator" | "admin" }>>;
  };
  settings: {
    /**
     * The club's settings.
     * `GET /admin/settings`, scope `system:read`.
     */
    read(wish?: Manner): Promise<{ graceHours: number; ownCodesPerMonth: number; joinsPerAddressPerDay: number; joinsPerCodePerDay: number; newMemberConfigLimit: number; newMemberQuotaBytes: number | null; newMemberQuotaAtEnd: "tell" | "slow" | "cut"; newMemberQuotaSlowMbit: number; dormantAfterDays: number; quietFrom: number; quietUntil: number; clubTimeZone: string; moderatorMayInvites: boolean; moderatorMayInterfaces: boolean; moderatorMayPasswordLinks: boolean; fixedBy: { clubTimeZone: string | null } }>;
  };
  system: {
    /**
     * Versions, the database, jobs, servers and what the panel's own machine lacks.
     * `GET /admin/system`, scope `system:read`.
     */
    overview(wish?: Manner): Promise<{ version: string; node: string; startedAt: string; securityGate: "on" | "off"; geoServices: string[]; localServer: "auto" | "off"; database: { engine: "sqlite" | "postgres"; size: number; migration: string | null; trouble: "away" | "full" | null; slowMs: number | null }; clockDoubtedSince: string | null; newerPanel: { since: string; server: string; seenAt: string } | null; backups: { place: { kind: "folder" | "sftp" | "s3"; address: string }; everyHours: number; lastGoodAt: string | null; lastGoodPlace: { kind: "folder" | "sftp" | "s3"; address: string } | null; lastTriedAt: string | null; size: number | null; problem: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; isLate: boolean } | null; jobs: { waiting: number; failing: number; failed: number; oldestDueAt: string | null; troubled: Array<{ kind: string; count: number; lastError: string | null; why: { code: string; ru: string; en: string; said: string | null } | null }> }; servers: Array<{ id: string; name: string; isMain: boolean; status: "connected" | "pending" | "error" | "silent"; reason: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; unreachableSince: string | null; heldInterfaces: Array<{ id: string; name: string; interfaceName: string; reason: string; why: { code: string; ru: string; en: string; said: string | null } }>; reconciledAt: string | null }>; local: { backend: "kernel" | "userspace" | "netstack" | null; reason: string | null; why: { code: string; ru: string; en: string; said: string | null } | null; problems: Array<{ code: string; detail: string; why: { code: string; ru: string; en: string; said: string | null } }>; install: string | null } }>;
  };
  telegram: {
    /**
     * Whether your Telegram is linked, and whether the club requires it.
     * `GET /auth/telegram/status`, scope `profile:read`.
     */
    status(wish?: Manner): Promise<{ telegramConnected: boolean; enabled: boolean; required: boolean; botName: string | null; account: string | null; botBlocked: boolean }>;
    /**
     * Whether the bot works, why not, and whether new configs need a linked account.
     * `GET /admin/telegram`, scope `system:read`.
     */
    settings(wish?: Manner): Promise<{ enabled: boolean; reason: "no_token" | "wrong_token" | "unreachable" | "conflict" | "webhook_unreachable" | "starting" | null; reasonSince: string | null; botName: string | null; required: boolean; requiredNow: boolean; staffActs: boolean; connectedMembers: number }>;
  };
}

/** What each event of a webhook carries. */
export interface WebhookEvents {
  /** Somebody joined with an invite code. */
  "member.joined": { memberId: string; username: string };
  /** A member was blocked. */
  "member.blocked": { memberId: string; username: string };
  /** A member was unblocked. */
  "member.unblocked": { memberId: string; username: string };
  /** A member was deleted; the username is free again. */
  "member.deleted": { memberId: string; username: string };
  /** Staff gave a member more time. */
  "subscription.extended": { memberId: string; username: string; until: string };
  /** Staff undid an extension within seconds; `subscriptionEnd` is null if there is none now. */
  "subscription.undone": { memberId: string; username: string; subscriptionEnd: string | null };
  /** A subscription ended. */
  "subscription.ended": { memberId: string; username: string; endedAt: string };
  /** A member says they have paid, for so many months from this one on. */
  "payment.claimed": { memberId: string; username: string; period: string; months: number };
  /** So many months from this one on were marked as paid; `subscriptionEnd` is null if there is none. */
  "payment.paid": { memberId: string; username: string; period: string; months: number; subscriptionEnd: string | null };
  /** Staff undid a payment within seconds; its months are as before, and a claim waits again. */
  "payment.undone": { memberId: string; username: string; period: string; months: number; subscriptionEnd: string | null };
  /** A month was marked as overdue. */
  "payment.overdue": { memberId: string; username: string; period: string };
  /** A config was created. */
  "config.created": { configId: string; memberId: string; username: string; interfaceId: string; deviceType: "computer" | "phone" };
  /** A member took back the deletion of a config. */
  "config.restored": { configId: string; memberId: string; username: string; interfaceId: string; deviceType: "computer" | "phone" };
  /** A config was deleted. */
  "config.deleted": { configId: string; memberId: string; username: string; interfaceId: string; deviceType: "computer" | "phone" };
  /** A member opened a ticket. */
  "ticket.opened": { ticketId: string; memberId: string; username: string };
  /** A member began to wait for an answer. */
  "conversation.waits": { memberId: string; username: string; ticketId: string | null };
  /** A server has not answered for two minutes. */
  "server.down": { serverId: string; name: string; since: string };
  /** A server that was down answers again. */
  "server.back": { serverId: string; name: string; since: string; until: string };
  /** An interface has few free addresses left; once a day at most. */
  "interface.addresses_low": { interfaceId: string; name: string; server: string; free: number };
  /** No scheduled backup has succeeded for twice the interval. */
  "backup.late": { since: string };
  /** An admin pressed the test button. */
  "webhook.test": {  };
}

/** The body of a webhook's request. `id` stays the same when it is sent again. */
export type WebhookEvent = {
  [Type in keyof WebhookEvents]: {
    id: string;
    type: Type;
    version: 1;
    timestamp: string;
    data: WebhookEvents[Type];
  };
}[keyof WebhookEvents];

/** Method, path under /api, and what comes back. */
export const ROUTES = {
  auth: {
    me: ["GET", "/auth/me", "json"],
  },
  members: {
    list: ["GET", "/users", "page"],
    counts: ["GET", "/admin/users/counts", "json"],
    file: ["GET", "/admin/users/{id}", "json"],
    changeMany: ["POST", "/admin/users/bulk", "json"],
    changeMatching: ["POST", "/admin/users/bulk/matching", "json"],
    undo: ["POST", "/admin/users/undo", "json"],
    add: ["POST", "/users", "json"],
    show: ["GET", "/users/{id}", "json"],
    change: ["PUT", "/users/{id}", "json"],
  },
  groups: {
    list: ["GET", "/admin/groups", "json"],
    add: ["POST", "/admin/groups", "json"],
    change: ["PUT", "/admin/groups/{id}", "json"],
    remove: ["DELETE", "/admin/groups/{id}", "nothing"],
    ofMember: ["PUT", "/admin/users/{id}/groups", "json"],
  },
  notes: {
    ofMember: ["GET", "/admin/users/{id}/notes", "json"],
    add: ["POST", "/admin/users/{id}/notes", "json"],
    remove: ["DELETE", "/admin/users/{id}/notes/{noteId}", "nothing"],
  },
  invites: {
    own: ["GET", "/users/{id}/active-invite", "json"],
    makeOwn: ["POST", "/users/generate-invite", "json"],
    invited: ["GET", "/users/{id}/invited", "json"],
    list: ["GET", "/admin/invite-codes", "page"],
    counts: ["GET", "/admin/invite-codes/counts", "json"],
    show: ["GET", "/admin/invite-codes/{id}", "json"],
    newcomers: ["GET", "/admin/invite-codes/{id}/members", "page"],
    add: ["POST", "/admin/invite-codes", "json"],
    change: ["PUT", "/admin/invite-codes/{id}", "json"],
    deactivate: ["PUT", "/admin/invite-codes/{id}/deactivate", "json"],
  },
  templates: {
    list: ["GET", "/admin/templates", "json"],
    add: ["POST", "/admin/templates", "json"],
    change: ["PUT", "/admin/templates/{id}", "json"],
    remove: ["DELETE", "/admin/templates/{id}", "nothing"],
  },
  catalog: {
    services: ["GET", "/services", "json"],
    addService: ["POST", "/services", "json"],
    changeService: ["PUT", "/services/{id}", "json"],
    serviceTyped: ["GET", "/services/{id}/typed", "json"],
    removeService: ["DELETE", "/services/{id}", "nothing"],
    dns: ["GET", "/dns", "json"],
    addDns: ["POST", "/dns", "json"],
    changeDns: ["PUT", "/dns/{id}", "json"],
    removeDns: ["DELETE", "/dns/{id}", "nothing"],
    usage: ["GET", "/admin/catalog/usage", "json"],
    ownNetworks: ["GET", "/admin/catalog/own-networks", "json"],
    serviceEffect: ["POST", "/services/{id}/effect", "json"],
    dnsEffect: ["POST", "/dns/{id}/effect", "json"],
  },
  sources: {
    ofService: ["GET", "/services/{id}/sources", "json"],
    lookNow: ["POST", "/services/{id}/sources", "json"],
    versions: ["GET", "/services/{id}/sources/{source}/versions", "json"],
    compare: ["GET", "/services/{id}/sources/{source}/versions/{version}", "json"],
  },
  configs: {
    list: ["GET", "/vpn/configs", "page"],
    create: ["POST", "/vpn/configs", "json"],
    makeFor: ["POST", "/users/{id}/configs", "json"],
    move: ["PUT", "/admin/configs/{id}/interface", "json"],
    block: ["PUT", "/admin/configs/{id}/blocked", "json"],
    reactivate: ["POST", "/vpn/configs/{id}/reactivate", "json"],
    reactivateAny: ["POST", "/admin/configs/{id}/reactivate", "json"],
    end: ["PUT", "/admin/configs/{id}/end", "json"],
    chooseServices: ["PUT", "/admin/configs/{id}/services", "json"],
    renewLink: ["POST", "/admin/configs/{id}/link", "json"],
    revokeLink: ["DELETE", "/admin/configs/{id}/link", "nothing"],
    ofMember: ["GET", "/vpn/configs/{id}", "json"],
    remove: ["DELETE", "/vpn/configs/{id}", "nothing"],
    removeMany: ["POST", "/admin/configs/delete", "json"],
    restore: ["POST", "/vpn/configs/{id}/restore", "json"],
    replaceKey: ["POST", "/vpn/configs/{id}/key", "json"],
    change: ["PUT", "/vpn/configs/{id}", "json"],
    download: ["GET", "/vpn/configs/{id}/download", "file"],
    qrcode: ["GET", "/vpn/configs/{id}/qrcode", "json"],
    link: ["GET", "/vpn/configs/{id}/link", "json"],
    stats: ["GET", "/vpn/configs/{id}/stats", "json"],
    ownStats: ["GET", "/vpn/stats", "json"],
    staffStats: ["GET", "/admin/configs/{id}/stats", "json"],
    statsByConfig: ["GET", "/vpn/stats/{id}", "json"],
    staffDiagnosis: ["GET", "/admin/configs/{id}/diagnosis", "json"],
    diagnosis: ["GET", "/vpn/configs/{id}/diagnosis", "json"],
    availableServers: ["GET", "/vpn/available-servers", "json"],
    availableInterfaces: ["GET", "/vpn/available-interfaces", "json"],
    suggestedServices: ["GET", "/vpn/suggested-services", "json"],
  },
  traffic: {
    ownQuota: ["GET", "/vpn/quota", "json"],
    own: ["GET", "/vpn/traffic", "json"],
  },
  payments: {
    own: ["GET", "/payments/own", "json"],
    ownLedger: ["GET", "/payments/ledger", "page"],
    claim: ["POST", "/payments/claim", "json"],
    withdraw: ["DELETE", "/payments/claim", "nothing"],
    ownReceipt: ["GET", "/payments/claim/receipt", "file"],
    history: ["GET", "/admin/payments/history/{period}", "page"],
    summary: ["GET", "/admin/payments/summary/{period}", "json"],
    ofMember: ["GET", "/admin/payments/members/{id}", "json"],
    ledger: ["GET", "/admin/payments/members/{id}/ledger", "page"],
    setStatus: ["PUT", "/admin/payments/status", "json"],
    receive: ["PUT", "/admin/payments/received/{id}", "json"],
    undo: ["POST", "/admin/payments/undo", "json"],
    revenue: ["GET", "/admin/payments/revenue", "json"],
    claims: ["GET", "/admin/payments/claims", "page"],
    receipt: ["GET", "/admin/payments/claims/{id}/receipt", "file"],
    decline: ["PUT", "/admin/payments/claims/{id}/decline", "nothing"],
    settings: ["GET", "/admin/payments/settings", "json"],
  },
  pictures: {
    upload: ["POST", "/pictures", "json"],
  },
  servers: {
    list: ["GET", "/admin/servers", "json"],
    change: ["PUT", "/admin/servers/{id}", "json"],
    refresh: ["GET", "/admin/servers/{id}/refresh", "json"],
    setMain: ["PUT", "/admin/servers/{id}/set-main", "json"],
    assign: ["POST", "/admin/servers/assign", "json"],
    unassign: ["DELETE", "/admin/servers/assign/{userId}/{serverId}", "nothing"],
    assignments: ["GET", "/admin/servers/user-assignments/{id}", "json"],
  },
  serverHistory: {
    read: ["GET", "/admin/servers/{id}/history", "json"],
  },
  drain: {
    list: ["GET", "/admin/servers/emptyings", "json"],
    plan: ["GET", "/admin/servers/{id}/emptying", "json"],
    start: ["POST", "/admin/servers/{id}/empty", "json"],
    stop: ["POST", "/admin/servers/{id}/empty/stop", "json"],
    planOfInterface: ["GET", "/admin/servers/interfaces/{id}/emptying", "json"],
    startOfInterface: ["POST", "/admin/servers/interfaces/{id}/empty", "json"],
    rotate: ["POST", "/admin/servers/interfaces/{id}/rotate", "json"],
    stopOfInterface: ["POST", "/admin/servers/interfaces/{id}/empty/stop", "json"],
  },
  outageDetection: {
    read: ["GET", "/admin/servers/interfaces/{id}/reach", "json"],
  },
  accessRules: {
    list: ["GET", "/admin/rules", "page"],
    add: ["POST", "/admin/rules", "json"],
    remove: ["DELETE", "/admin/rules/{id}", "nothing"],
    members: ["GET", "/admin/rules/{id}/members", "page"],
    servers: ["GET", "/admin/rules/servers", "json"],
    check: ["GET", "/admin/rules/check", "json"],
  },
  interfaces: {
    list: ["GET", "/admin/servers/interfaces", "json"],
    ofServer: ["GET", "/admin/servers/{id}/interfaces", "json"],
    create: ["POST", "/admin/servers/{serverId}/create-interface", "json"],
    amneziawg: ["GET", "/admin/servers/{id}/amneziawg", "json"],
    rename: ["PUT", "/admin/servers/{serverId}/interfaces/{interfaceId}", "json"],
    remove: ["DELETE", "/admin/servers/{serverId}/interfaces/{interfaceId}", "nothing"],
    change: ["PUT", "/admin/wireguard/{serverId}/interfaces/{id}", "json"],
    assign: ["POST", "/admin/servers/interfaces/assign", "json"],
    unassign: ["DELETE", "/admin/servers/interfaces/assign/{userId}/{interfaceId}", "nothing"],
    ofMember: ["GET", "/admin/servers/interfaces/user/{userId}", "json"],
    assigned: ["GET", "/admin/servers/interfaces/{id}/users", "page"],
  },
  exits: {
    list: ["GET", "/admin/exits", "json"],
  },
  rights: {
    own: ["GET", "/admin/rights", "json"],
  },
  inbox: {
    list: ["GET", "/inbox", "page"],
    unread: ["GET", "/inbox/unread", "json"],
    read: ["POST", "/inbox/read", "json"],
    notify: ["POST", "/telegram/notify/{userId}", "json"],
  },
  outbox: {
    choices: ["GET", "/inbox/choices", "json"],
    choose: ["PUT", "/inbox/choices", "json"],
    standing: ["GET", "/admin/outbox", "json"],
  },
  statistics: {
    now: ["GET", "/admin/statistics/now", "json"],
    traffic: ["GET", "/admin/statistics/traffic", "json"],
    breakdown: ["GET", "/admin/statistics/breakdown", "json"],
  },
  support: {
    messages: ["GET", "/support/messages", "page"],
    send: ["POST", "/support/messages", "json"],
    unread: ["GET", "/support/unread", "json"],
    read: ["POST", "/support/read", "json"],
    attachment: ["GET", "/support/attachments/{id}", "file"],
    tickets: ["GET", "/support/tickets", "page"],
    openTicket: ["POST", "/support/tickets", "json"],
    conversations: ["GET", "/admin/support/conversations", "page"],
    waiting: ["GET", "/admin/support/waiting", "json"],
    colleagues: ["GET", "/admin/support/colleagues", "json"],
    conversation: ["GET", "/admin/support/conversations/{userId}/messages", "page"],
    answer: ["POST", "/admin/support/conversations/{userId}/messages", "json"],
    readConversation: ["POST", "/admin/support/conversations/{userId}/read", "json"],
    setWaiting: ["PUT", "/admin/support/conversations/{userId}/waiting", "json"],
    assignConversation: ["PUT", "/admin/support/conversations/{userId}/assignee", "json"],
    allTickets: ["GET", "/admin/support/tickets", "page"],
    changeTicket: ["PUT", "/admin/support/tickets/{id}", "json"],
  },
  answerTemplates: {
    list: ["GET", "/admin/support/answer-templates", "json"],
    add: ["POST", "/admin/support/answer-templates", "json"],
    change: ["PUT", "/admin/support/answer-templates/{id}", "json"],
    remove: ["DELETE", "/admin/support/answer-templates/{id}", "nothing"],
  },
  search: {
    find: ["GET", "/admin/search", "json"],
  },
  security: {
    settings: ["GET", "/admin/security", "json"],
  },
  audit: {
    list: ["GET", "/admin/audit", "page"],
    staff: ["GET", "/admin/audit/staff", "json"],
  },
  settings: {
    read: ["GET", "/admin/settings", "json"],
  },
  system: {
    overview: ["GET", "/admin/system", "json"],
  },
  telegram: {
    status: ["GET", "/auth/telegram/status", "json"],
    settings: ["GET", "/admin/telegram", "json"],
  },
} as const;
