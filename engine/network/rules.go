package network

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"sort"
	"strings"
)

// Settings are the network's settings as the panel's messages spell them.
type Settings struct {
	Addresses      []string   `json:"addresses"`
	MTU            int        `json:"mtu"`
	ClosedNetworks []string   `json:"closedNetworks"`
	ClosedTCPPorts []uint16   `json:"closedTcpPorts"`
	OpenPorts      []OpenPort `json:"openPorts"`
	NameServers    []string   `json:"nameServers"`
	Access         Access     `json:"access"`
}

type OpenPort struct {
	Protocol string `json:"protocol"`
	Port     uint16 `json:"port"`
}

type Access struct {
	Everyone Lists   `json:"everyone"`
	Groups   []Group `json:"groups"`
}

type Lists struct {
	Allowed []string `json:"allowed"`
	Denied  []string `json:"denied"`
}

type Group struct {
	Allowed []string `json:"allowed"`
	Denied  []string `json:"denied"`
	Sources []string `json:"sources"`
}

// Protocol is one of the three that are forwarded.
type Protocol uint8

const (
	TCP Protocol = iota
	UDP
	Echo
)

const dns = 53

// The smallest MTU for IPv4 packets, and the largest that the kernel and WireGuard accept.
const leastMTU, mostMTU = 576, 9000

// Rules decide what passes. They are immutable, so readers need no lock.
type Rules struct {
	gateways    map[netip.Addr]bool
	members     ranges
	closed      ranges
	closedTCP   map[uint16]bool
	open        map[OpenPort]bool
	nameServers map[netip.Addr]bool
	everyone    verdicts
	groups      map[netip.Addr]*verdicts
	mtu         int
	gateway4    netip.Addr
	gateway6    netip.Addr
}

type verdicts struct{ allowed, denied ranges }

// Blocked for everybody, whatever the settings: the machine's internal addresses, multicast and broadcast. IPv4 addresses in
// IPv6 ones would bypass the rules of IPv4.
var neverReached = mustRanges("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4",
	"::/96", "::ffff:0:0/96", "fe80::/10", "ff00::/8")

// Read parses the line of JSON entirely, or returns an error.
func Read(line []byte) (*Rules, error) {
	var settings Settings
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&settings); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return settings.rules()
}

func (settings Settings) rules() (*Rules, error) {
	rules := &Rules{
		gateways:    map[netip.Addr]bool{},
		closedTCP:   map[uint16]bool{},
		open:        map[OpenPort]bool{},
		nameServers: map[netip.Addr]bool{},
		groups:      map[netip.Addr]*verdicts{},
		mtu:         settings.MTU,
	}
	if err := settings.lacks(); err != nil {
		return nil, err
	}
	if settings.MTU < leastMTU || settings.MTU > mostMTU {
		return nil, fmt.Errorf("no MTU: %d", settings.MTU)
	}
	if len(settings.Addresses) == 0 {
		return nil, errors.New("no address of the interface")
	}
	for _, text := range settings.Addresses {
		own, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, err
		}
		address := own.Addr()
		rules.gateways[address] = true
		if address.Is4() && !rules.gateway4.IsValid() {
			rules.gateway4 = address
		}
		if address.Is6() && !rules.gateway6.IsValid() {
			rules.gateway6 = address
		}
	}
	for _, port := range settings.ClosedTCPPorts {
		rules.closedTCP[port] = true
	}
	for _, open := range settings.OpenPorts {
		if open.Protocol != "tcp" && open.Protocol != "udp" {
			return nil, fmt.Errorf("no protocol with ports: %q", open.Protocol)
		}
		rules.open[open] = true
	}
	for _, text := range settings.NameServers {
		address, err := parseAddress(text)
		if err != nil {
			return nil, err
		}
		rules.nameServers[address] = true
	}
	var failed error
	read := func(texts []string) ranges {
		read, err := newRanges(texts)
		if err != nil && failed == nil {
			failed = err
		}
		return read
	}
	rules.members = read(settings.Addresses)
	rules.closed = read(settings.ClosedNetworks)
	everyone := settings.Access.Everyone
	rules.everyone = verdicts{read(everyone.Allowed), read(everyone.Denied)}
	for _, group := range settings.Access.Groups {
		compiled := &verdicts{read(group.Allowed), read(group.Denied)}
		for _, text := range group.Sources {
			source, err := parseAddress(text)
			if err != nil {
				return nil, err
			}
			if rules.groups[source] != nil {
				return nil, fmt.Errorf("%s is in two groups", source)
			}
			rules.groups[source] = compiled
		}
	}
	return rules, failed
}

// lacks reports a missing list. Reading it as an empty one would open what it should close.
func (settings Settings) lacks() error {
	lists := []bool{
		settings.Addresses == nil, settings.ClosedNetworks == nil, settings.ClosedTCPPorts == nil,
		settings.OpenPorts == nil, settings.NameServers == nil, settings.Access.Groups == nil,
		settings.Access.Everyone.Allowed == nil, settings.Access.Everyone.Denied == nil,
	}
	for _, group := range settings.Access.Groups {
		lists = append(lists, group.Allowed == nil, group.Denied == nil, group.Sources == nil)
	}
	if slices.Contains(lists, true) {
		return errors.New("a list is missing")
	}
	return nil
}

// Allows makes the whole decision (decisions, section 6), in the order of the machine's firewall. A target that is one of the
// machine's own addresses (isOwn) has a few open ports and answers pings. Port is 0 for an echo.
func (rules *Rules) Allows(source, target netip.Addr, protocol Protocol, port uint16, isOwn bool) bool {
	if rules == nil {
		return false
	}
	if rules.gateways[target] {
		return protocol == Echo
	}
	if neverReached.has(target) || rules.members.has(target) || rules.closed.has(target) {
		return false
	}
	if protocol == TCP && rules.closedTCP[port] {
		return false
	}
	if !rules.grants(source, target) {
		return false
	}
	return !isOwn || rules.opens(target, protocol, port)
}

// Exceptions override denials, and rules for everyone come before those of the source's group.
func (rules *Rules) grants(source, target netip.Addr) bool {
	if rules.everyone.allowed.has(target) {
		return true
	}
	if group := rules.groups[source]; group != nil {
		if group.allowed.has(target) {
			return true
		}
		if group.denied.has(target) {
			return false
		}
	}
	return !rules.everyone.denied.has(target)
}

func (rules *Rules) opens(target netip.Addr, protocol Protocol, port uint16) bool {
	name := map[Protocol]string{TCP: "tcp", UDP: "udp"}[protocol]
	if protocol == Echo || rules.open[OpenPort{name, port}] {
		return true
	}
	anyOfFamily := netip.IPv4Unspecified()
	if target.Is6() {
		anyOfFamily = netip.IPv6Unspecified()
	}
	return port == dns && (rules.nameServers[target] || rules.nameServers[anyOfFamily])
}

// gatewayOf is the machine's address inside the tunnel, of the same family as the given one; invalid if there is none.
func (rules *Rules) gatewayOf(other netip.Addr) netip.Addr {
	if other.Is4() {
		return rules.gateway4
	}
	return rules.gateway6
}

// ranges are sorted, disjoint ranges of addresses: IPv4 before IPv6, as netip compares.
type ranges []span

type span struct{ first, last netip.Addr }

func newRanges(texts []string) (ranges, error) {
	all := make(ranges, 0, len(texts))
	for _, text := range texts {
		prefix, err := parseNetwork(text)
		if err != nil {
			return nil, err
		}
		all = append(all, span{prefix.Addr(), lastOf(prefix)})
	}
	sort.Slice(all, func(one, other int) bool { return all[one].first.Less(all[other].first) })
	merged := all[:0]
	for _, each := range all {
		if count := len(merged); count > 0 && !merged[count-1].last.Less(each.first) {
			if merged[count-1].last.Less(each.last) {
				merged[count-1].last = each.last
			}
			continue
		}
		merged = append(merged, each)
	}
	return merged, nil
}

func mustRanges(texts ...string) ranges {
	read, err := newRanges(texts)
	if err != nil {
		panic(err)
	}
	return read
}

func (all ranges) has(address netip.Addr) bool {
	after := sort.Search(len(all), func(place int) bool { return address.Less(all[place].first) })
	return after > 0 && !all[after-1].last.Less(address)
}

// parseNetwork reads a network or one address, without host bits.
func parseNetwork(text string) (netip.Prefix, error) {
	if !strings.Contains(text, "/") {
		address, err := parseAddress(text)
		if err != nil {
			return netip.Prefix{}, err
		}
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	return prefix.Masked(), err
}

func parseAddress(text string) (netip.Addr, error) {
	address, err := netip.ParseAddr(text)
	if err == nil && address.Zone() != "" {
		err = fmt.Errorf("no address with a zone: %q", text)
	}
	return address, err
}

func lastOf(prefix netip.Prefix) netip.Addr {
	bytes := prefix.Addr().AsSlice()
	for bit := prefix.Bits(); bit < len(bytes)*8; bit++ {
		bytes[bit/8] |= 1 << (7 - bit%8)
	}
	last, _ := netip.AddrFromSlice(bytes)
	return last
}
