import { describe, expect, test } from "vitest";
import type { DesiredRouting } from "./host.ts";
import { resolversOf } from "./resolver.ts";
import { apartFromAnswers, loadingOver, makeMoving } from "./resolver-sets.ts";
import { routingText } from "./routing-text.ts";

const INTERFACES = [
  { name: "wg0", addresses: ["10.8.0.1/24", "fd00::1/64"] },
  { name: "wg1", addresses: ["10.9.0.1/24"] },
];
const dns = (sources: string[], ...addresses: string[]) => ({
  sources,
  networks: addresses.map((each) => `${each}/32`),
  onlyDns: true as const,
  exit: "direct" as const,
});
const service = (key: string, ...domains: string[]) => ({
  sources: ["10.8.0.2", "fd00::2"],
  networks: ["5.0.0.0/8"],
  names: { key, domains },
  exit: "direct" as const,
});
const routing = (...rules: DesiredRouting["rules"]): DesiredRouting => ({ interfaces: ["wg0"], rules });
const resolvers = (...rules: DesiredRouting["rules"]) => [...resolversOf(INTERFACES, routing(...rules)).values()];

describe("a machine's resolvers", () => {
  test("one for each DNS that members chose, each with all services' names; none without names", () => {
    const rules = [dns(["10.8.0.2", "fd00::2"], "1.1.1.1", "1.0.0.1"), dns(["10.8.0.3"], "9.9.9.9")];
    expect(resolvers(...rules)).toEqual([]);
    const [first, second] = resolvers(...rules, service("video", "example.com"));
    expect(first).toMatchObject({ slot: 1, port: 5301, at: { 4: "10.8.0.1", 6: "fd00::1" } });
    expect(first?.config).toBe(`port=5301
listen-address=10.8.0.1
listen-address=fd00::1
bind-interfaces
no-resolv
no-hosts
no-poll
cache-size=0
max-ttl=300
dns-forward-max=1000
filter-rr=HTTPS,SVCB
server=1.1.1.1
server=1.0.0.1
nftset=/example.com/4#inet#krug#asked_video_v4,6#inet#krug#asked_video_v6
`);
    // Its devices have no IPv6.
    expect(second).toMatchObject({ slot: 2, port: 5302, at: { 4: "10.8.0.1", 6: null } });
    expect(second?.config).toContain("filter-AAAA\nserver=9.9.9.9\n");
    expect(second?.mark).not.toBe(first?.mark);
  });

  test("a name below another service's is of both, since dnsmasq takes the longest name", () => {
    const [one] = resolvers(
      dns(["10.8.0.2"], "1.1.1.1"),
      service("all", "example.com"),
      service("part", "www.example.com", "other.org"),
    );
    const of = (name: string) =>
      new RegExp(`^nftset=/${name}/(.*)$`, "m").exec(one?.config ?? "")?.[1]?.match(/asked_\w+_v4/g);
    expect(of("example.com")).toEqual(["asked_all_v4"]);
    expect(of("www.example.com")).toEqual(["asked_all_v4", "asked_part_v4"]);
    expect(of("other.org")).toEqual(["asked_part_v4"]);
  });

  test("a name is asked by the exit of its service, one below it that leaves straight is not, and the rest neither", () => {
    const links = [{ number: 2, name: "exit2", mtu: null, addresses: ["198.18.0.10", "fd00:2::2"] }];
    const [one] = resolversOf(INTERFACES, {
      ...routing(
        dns(["10.8.0.2"], "1.1.1.1", "2606:4700:4700::1111"),
        { ...service("video", "example.com", "sub.example.com"), exit: 2 },
        service("part", "www.example.com"),
        { ...service("both", "other.org"), exit: 2 },
        service("both", "other.org"),
      ),
      links,
    }).values();
    expect(one?.config.match(/^server=.*$/gm)).toEqual([
      "server=1.1.1.1",
      "server=2606:4700:4700::1111",
      "server=/example.com/1.1.1.1@198.18.0.10",
      "server=/example.com/2606:4700:4700::1111@fd00:2::2",
      "server=/www.example.com/1.1.1.1",
      "server=/www.example.com/2606:4700:4700::1111",
    ]);
  });

  test("a name whose exit cannot ask a DNS of only IPv6 has no answer, and is not asked straight", () => {
    const links = [{ number: 2, name: "exit2", mtu: null, addresses: ["198.18.0.10"] }];
    const [one] = resolversOf(INTERFACES, {
      ...routing(
        dns(["10.8.0.2"], "2606:4700:4700::1111"),
        { ...service("video", "example.com"), exit: 2 },
        service("part", "www.example.com"),
      ),
      links,
    }).values();
    expect(one?.config.match(/^server=.*$/gm)).toEqual([
      "server=2606:4700:4700::1111",
      "server=/example.com/",
      "server=/www.example.com/2606:4700:4700::1111",
    ]);
  });

  test("a line is never longer than dnsmasq reads", () => {
    const long = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`;
    const many = Array.from({ length: 30 }, (_, at) => service(`service${String(at).padStart(5, "0")}`, long));
    const [one] = resolvers(dns(["10.8.0.2"], "1.1.1.1"), ...many);
    for (const line of one?.config.split("\n") ?? []) expect(line.length).toBeLessThan(1_000);
  });

  test.each([
    "example.com/#\nconf-file=/etc/shadow",
    "example.com/4#inet#filter#x",
    "*.example.com",
    "Example.com",
    "example.com,other.org",
    "",
    "#",
  ])("nothing but names and addresses gets into a config: %j", (name) => {
    expect(() => resolvers(dns(["10.8.0.2"], "1.1.1.1"), service("a", name))).toThrow(RangeError);
  });

  test("nor a strange address or key", () => {
    expect(() => resolvers(dns(["10.8.0.2"], "1.1.1.1#53\n"), service("a", "example.com"))).toThrow(RangeError);
    expect(() => resolvers(dns(["10.8.0.2"], "1.1.1.1"), service("a}", "example.com"))).toThrow(RangeError);
  });
});

describe("the firewall's sets of what was answered", () => {
  const rules = [dns(["10.8.0.2", "fd00::2"], "1.1.1.1"), service("video", "example.com")];
  const text = (isAnswering: boolean) => {
    const all = resolversOf(INTERFACES, routing(...rules));
    return routingText(routing(...rules), isAnswering ? all : new Map());
  };

  test("a service is its networks and its names' addresses; questions go to the machine's resolver once it answers", () => {
    expect(text(false)).toContain("ip saddr @from_2_v4 ip daddr @asked_video_v4 goto leave_direct");
    expect(text(false)).toContain("ip6 saddr @from_2_v6 ip6 daddr @kept_video_v6 goto leave_direct");
    expect(text(false)).not.toContain("5301");
    expect(text(true)).toMatch(/ip saddr @from_1_v4 .* dport 53 dnat ip to 10\.8\.0\.1:5301\n/);
    expect(text(true)).toMatch(/ip6 saddr @from_1_v6 .* dport 53 dnat ip6 to \[fd00::1\]:5301\n/);
    // A machine that can have none has none of it.
    expect(routingText(routing(...rules), null)).not.toMatch(/asked|kept|5301/);
  });

  const LISTED = `table inet krug {
	counter names_asked {
	}

	set from_1_v4 {
		type ipv4_addr
		elements = { 10.8.0.2 }
	}

	set asked_video_v4 {
		type ipv4_addr
		size 65536
		elements = { 203.0.113.1, 203.0.113.2,
			     203.0.113.3 }
	}

	set kept_video_v4 {
		type ipv4_addr
		size 65536
		timeout 1d
		elements = { 203.0.113.4 timeout 1d expires 3h2m1s }
	}

	map members_v4 {
		type ipv4_addr : verdict
	}

	chain routing {
		drop
	}
}
`;

  test("are no part of what a table is compared by", () => {
    const { text: rest, answers } = apartFromAnswers(LISTED);
    expect(rest).toContain("elements = { 10.8.0.2 }");
    expect(rest).not.toContain("203.0.113");
    expect(Object.fromEntries(answers)).toEqual({
      asked_video_v4: ["203.0.113.1", "203.0.113.2", "203.0.113.3"],
      kept_video_v4: ["203.0.113.4"],
    });
    expect(apartFromAnswers(rest).text).toBe(rest);
  });

  test("stay when another table is loaded over them, and come back if they are gone", () => {
    const body = "  set asked_video_v4 {\n  }\n  set kept_video_v4 {\n  }\n";
    const { answers } = apartFromAnswers(LISTED);
    expect(loadingOver(LISTED, body, answers)).toBe(`flush table inet krug
delete map inet krug members_v4
delete chain inet krug routing
delete set inet krug from_1_v4
delete counter inet krug names_asked
table inet krug {
${body}}
`);
    const fresh = `table inet krug\ndelete table inet krug\ntable inet krug {\n${body}}\n`;
    expect(loadingOver(null, body, answers)).toBe(
      `${fresh}add element inet krug kept_video_v4 { 203.0.113.1, 203.0.113.2, 203.0.113.3 }
add element inet krug kept_video_v4 { 203.0.113.4 }
`,
    );
    // Something that the panel did not make is not kept.
    expect(loadingOver(`${LISTED}\tflowtable f {\n\t}\n`, body, new Map())).toBe(fresh);
  });

  test("are moved once an hour to where they stay for a day", () => {
    let now = 0;
    const moving = makeMoving(() => now);
    const { answers } = apartFromAnswers(LISTED);
    const elements = "{ 203.0.113.1, 203.0.113.2, 203.0.113.3 }";
    expect(moving(new Map())).toBeNull();
    expect(moving(answers)).toBe(`add element inet krug kept_video_v4 ${elements}
delete element inet krug kept_video_v4 ${elements}
add element inet krug kept_video_v4 ${elements}
delete element inet krug asked_video_v4 ${elements}
`);
    now += 59 * 60_000;
    expect(moving(answers)).toBeNull();
    now += 60_000;
    expect(moving(answers)).not.toBeNull();
  });
});
