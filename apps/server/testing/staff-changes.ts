import type { Club, Person } from "./start-club.ts";

/** What staff change in a club, beyond `changeEverything`: settings, groups, templates, codes, support, many members at once. */
export async function changeAsStaff(club: Club): Promise<void> {
  const [admin, vera, gleb] = [await club.admin(), await club.member({ configLimit: 9 }), await club.member()];
  const call = async <Answer = Record<string, string>>(who: Person, line: string, body?: unknown) => {
    const [method = "", path = ""] = line.split(" ");
    const answer = await club.as(who).send(method, `/api${path}`, body);
    if (answer.status >= 400) throw new Error(`${line}: ${answer.message} ${JSON.stringify(answer.body)}`);
    return answer.body as Answer;
  };
  const { id: serverId = "" } = (await club.as(admin).call("GET /admin/servers")).body[0] ?? {};
  const { id: interfaceId = "" } = (await club.as(admin).call("GET /admin/servers/interfaces")).body[0] ?? {};
  const [service] = (await club.as(admin).call("GET /services")).body;
  const [dns] = (await club.as(admin).call("GET /dns")).body;
  const choices = { services: [service?.id], dns: dns?.id, interfaceId };
  await call(admin, "POST /auth/confirm-password", { password: admin.password });
  const device = await call(vera, "POST /vpn/configs", { ...choices, name: "tablet", deviceType: "phone" });
  await call(admin, "PUT /admin/settings", { graceHours: 5, moderatorMayInvites: true });
  await call(admin, "PUT /admin/settings", { clubTimeZone: "Asia/Yekaterinburg" });
  await call(admin, "PUT /admin/settings", { clubTimeZone: "Europe/Moscow" });
  await call(admin, "PUT /admin/security", { exceptions: ["203.0.113.7"], supportContact: "@krug" });
  await call(admin, "PUT /admin/telegram", { required: false });
  await call(admin, `PUT /admin/servers/${serverId}`, { name: "Рига", takesNew: false });
  await call(admin, `PUT /admin/servers/${serverId}`, { endpoint: "vpn.example", takesNew: true });
  await call(admin, `PUT /admin/servers/${serverId}/interfaces/${interfaceId}`, { name: "Первый" });
  await call(admin, `PUT /admin/wireguard/${serverId}/interfaces/${interfaceId}`, { isActive: false });
  await call(admin, `PUT /admin/wireguard/${serverId}/interfaces/${interfaceId}`, { isActive: true });
  const group = await call(admin, "POST /admin/groups", { name: "Семья", interfaces: [interfaceId] });
  await call(admin, `PUT /admin/groups/${group.id}`, { name: "Друзья" });
  await call(admin, `PUT /admin/users/${vera.id}/groups`, { groups: [group.id] });
  await call(admin, "POST /admin/rules", { target: "198.51.100.9", appliesTo: [vera.id] });
  await call(admin, `DELETE /admin/groups/${group.id}`);
  const template = await call(admin, "POST /admin/templates", {
    name: "Гости",
    services: choices.services,
    interfaceId,
    configLimit: 4,
    quotaBytes: null,
    quotaAtEnd: "tell",
    isDefault: true,
  });
  await call(admin, `PUT /admin/templates/${template.id}`, { configLimit: 6 });
  await call(admin, `DELETE /admin/templates/${template.id}`);
  const code = await call(admin, "POST /admin/invite-codes", { interfaces: [interfaceId], subscriptionDays: 30 });
  await call(admin, `PUT /admin/invite-codes/${code.id}`, { maxUses: 5 });
  await call(admin, `PUT /admin/invite-codes/${code.id}/deactivate`);
  const text = await call(admin, "POST /admin/support/answer-templates", { title: "Привет", content: "{имя}, привет" });
  await call(admin, `PUT /admin/support/answer-templates/${text.id}`, { title: "Здравствуйте" });
  await call(admin, `DELETE /admin/support/answer-templates/${text.id}`);
  await call(admin, `PUT /admin/configs/${device.id}/end`, { until: "2026-12-24" });
  await call(admin, `PUT /admin/configs/${device.id}/end`, { until: null });
  const said = await call(vera, "POST /support/messages", { content: "help" });
  const upTo = Number(said.sequence);
  await call(admin, `PUT /admin/support/conversations/${vera.id}/assignee`, { assignedTo: admin.id });
  await call(admin, `POST /admin/support/conversations/${vera.id}/read`, { upTo });
  await call(admin, `PUT /admin/support/conversations/${vera.id}/waiting`, { waiting: false, upTo });
  await call(admin, `POST /admin/support/conversations/${vera.id}/messages`, { content: "done" });
  const ticket = await call(gleb, "POST /support/tickets", { subject: "help", description: "me" });
  await call(admin, `PUT /admin/support/tickets/${ticket.id}`, { status: "in_progress" });
  await call(admin, "PUT /admin/payments/settings", { price: "300", details: "a card" });
  const { claim } = await call<{ claim: { id: string } }>(vera, "POST /payments/claim", {});
  await call(admin, `PUT /admin/payments/claims/${claim.id}/decline`, { reason: "no money came" });
  await call(admin, "POST /admin/users/bulk", { ids: [vera.id, gleb.id], action: "block" });
  await call(admin, "POST /admin/users/bulk", { ids: [vera.id, gleb.id], action: "unblock" });
  await call(admin, "POST /users", { username: "zoya" });
  await call(admin, `PUT /users/${vera.id}`, { isVip: true });
  await call(admin, `DELETE /admin/users/${gleb.id}/sessions`);
  await club.settle();
}
