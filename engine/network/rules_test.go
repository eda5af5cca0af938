package network

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
)

func rulesOf(t *testing.T, change func(*Settings)) *Rules {
	t.Helper()
	settings := Settings{
		Addresses:      []string{"10.8.0.1/24", "fd42::1/64"},
		MTU:            1420,
		ClosedNetworks: []string{"10.0.0.0/8", "192.168.0.0/16", "fc00::/7"},
		ClosedTCPPorts: []uint16{25},
		OpenPorts:      []OpenPort{{"tcp", 443}, {"udp", 51820}},
		NameServers:    []string{"192.0.2.53"},
		Access:         Access{Everyone: Lists{[]string{}, []string{}}, Groups: []Group{}},
	}
	change(&settings)
	line, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := Read(line)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestWhatAMemberReaches(t *testing.T) {
	anna, boris, vera := netip.MustParseAddr("10.8.0.2"), netip.MustParseAddr("10.8.0.3"), netip.MustParseAddr("fd42::4")
	rules := rulesOf(t, func(settings *Settings) {
		settings.Access = Access{
			Everyone: Lists{[]string{"198.51.100.7", "10.1.1.1"}, []string{"198.51.100.0/24", "2001:db8:bad::/48"}},
			Groups: []Group{{
				Allowed: []string{"203.0.113.5", "198.51.100.9"},
				Denied:  []string{"203.0.113.0/24", "198.51.100.7"},
				Sources: []string{anna.String()},
			}},
		}
	})
	for _, each := range []struct {
		source   netip.Addr
		target   string
		protocol Protocol
		port     uint16
		isOwn    bool
		passes   bool
	}{
		{boris, "203.0.113.1", TCP, 80, false, true},
		{boris, "203.0.113.1", UDP, 25, false, true},
		{boris, "203.0.113.1", Echo, 0, false, true},
		{vera, "2001:db8::1", TCP, 80, false, true},
		// Closed to everybody.
		{boris, "203.0.113.1", TCP, 25, false, false},
		{boris, "192.168.1.1", UDP, 53, false, false},
		{boris, "10.1.1.1", TCP, 80, false, false}, // an exception does not open what is closed to everybody
		{vera, "fd00::1", Echo, 0, false, false},
		// The gateway answers pings; other devices cannot be reached.
		{boris, "10.8.0.1", Echo, 0, false, true},
		{vera, "fd42::1", Echo, 0, false, true},
		{boris, "10.8.0.1", TCP, 443, true, false},
		{boris, "10.8.0.2", Echo, 0, false, false},
		{vera, "fd42::5", TCP, 80, false, false},
		// Everyone's rules, and a group's: exceptions win, everyone's first.
		{boris, "198.51.100.8", TCP, 80, false, false},
		{boris, "198.51.100.7", TCP, 80, false, true},
		{anna, "198.51.100.7", TCP, 80, false, true},
		{anna, "198.51.100.9", TCP, 80, false, true},
		{boris, "198.51.100.9", TCP, 80, false, false},
		{anna, "203.0.113.1", TCP, 80, false, false},
		{anna, "203.0.113.5", TCP, 80, false, true},
		{vera, "2001:db8:bad::1", UDP, 443, false, false},
		// The machine's own addresses.
		{boris, "203.0.113.9", TCP, 443, true, true},
		{boris, "203.0.113.9", UDP, 443, true, false},
		{boris, "203.0.113.9", TCP, 22, true, false},
		{boris, "203.0.113.9", Echo, 0, true, true},
		{boris, "192.0.2.53", UDP, 53, true, true},
		{boris, "192.0.2.53", TCP, 53, true, true},
		{boris, "192.0.2.54", UDP, 53, true, false},
		{anna, "203.0.113.9", TCP, 443, true, false}, // denied to its group
		// Always blocked, whatever the settings.
		{boris, "127.0.0.1", TCP, 443, true, false},
		{boris, "0.0.0.0", TCP, 443, false, false},
		{boris, "169.254.169.254", TCP, 80, false, false},
		{boris, "224.0.0.251", UDP, 5353, false, false},
		{boris, "255.255.255.255", UDP, 67, false, false},
		{vera, "::1", TCP, 443, true, false},
		{vera, "::ffff:203.0.113.1", TCP, 80, false, false},
		{vera, "fe80::1", Echo, 0, false, false},
		{vera, "ff02::1", UDP, 5353, false, false},
	} {
		if passes := rules.Allows(each.source, netip.MustParseAddr(each.target), each.protocol, each.port, each.isOwn); passes != each.passes {
			t.Errorf("%s to %s, protocol %d, port %d, own %t: passes %t", each.source, each.target, each.protocol, each.port, each.isOwn, passes)
		}
	}
}

func TestNameServersOfAWholeFamily(t *testing.T) {
	rules := rulesOf(t, func(settings *Settings) { settings.NameServers = []string{"0.0.0.0"} })
	source := netip.MustParseAddr("10.8.0.2")
	if !rules.Allows(source, netip.MustParseAddr("203.0.113.9"), UDP, 53, true) {
		t.Error("0.0.0.0 is every address of IPv4")
	}
	if rules.Allows(source, netip.MustParseAddr("2001:db8::9"), UDP, 53, true) {
		t.Error("0.0.0.0 is none of IPv6")
	}
}

func TestOtherDevicesAreOutOfReachEvenIfTheirNetworkIsNotClosed(t *testing.T) {
	rules := rulesOf(t, func(settings *Settings) { settings.Addresses = []string{"203.0.113.1/24"} })
	source := netip.MustParseAddr("203.0.113.2")
	if rules.Allows(source, netip.MustParseAddr("203.0.113.3"), TCP, 80, false) {
		t.Error("reached")
	}
	if !rules.Allows(source, netip.MustParseAddr("203.0.114.3"), TCP, 80, false) {
		t.Error("the internet is not")
	}
}

func TestNothingPassesWithoutRules(t *testing.T) {
	var rules *Rules
	if rules.Allows(netip.MustParseAddr("10.8.0.2"), netip.MustParseAddr("203.0.113.1"), TCP, 80, false) {
		t.Error("passed")
	}
}

// Lists as the panel may send them: overlapping, duplicated, nested. A search in the ranges must find the same as
// a comparison with every network.
func TestRangesFindWhatEveryNetworkHas(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		var networks []netip.Prefix
		var texts []string
		for range random.IntN(40) {
			prefix := randomPrefix(random)
			networks, texts = append(networks, prefix), append(texts, prefix.String())
		}
		found, err := newRanges(texts)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(address netip.Addr) {
			want := false
			for _, each := range networks {
				want = want || each.Contains(address)
			}
			if found.has(address) != want {
				t.Fatalf("round %d: %s in %s: %t", round, address, strings.Join(texts, " "), !want)
			}
		}
		for range 50 {
			ask(randomPrefix(random).Addr())
		}
		for _, each := range networks { // the edges, where mistakes happen
			for _, edge := range []netip.Addr{each.Masked().Addr(), lastOf(each.Masked())} {
				for _, near := range []netip.Addr{edge, edge.Prev(), edge.Next()} {
					if near.IsValid() {
						ask(near)
					}
				}
			}
		}
	}
}

// Few bits differ, so networks often meet.
func randomPrefix(random *rand.Rand) netip.Prefix {
	if random.IntN(2) == 0 {
		address := netip.AddrFrom4([4]byte{203, byte(random.IntN(3)), byte(random.IntN(4)), byte(random.IntN(256))})
		return netip.PrefixFrom(address, 8+random.IntN(25))
	}
	address := netip.MustParseAddr(fmt.Sprintf("2001:db8:%x::%x", random.IntN(3), random.IntN(65536)))
	return netip.PrefixFrom(address, 32+random.IntN(97))
}

func TestSettingsAreAcceptedEntirelyOrNotAtAll(t *testing.T) {
	whole := `{"addresses":["10.8.0.1/24"],"mtu":1420,"closedNetworks":[],"closedTcpPorts":[],"openPorts":[],"nameServers":[],"access":{"everyone":{"allowed":[],"denied":[]},"groups":[{"allowed":[],"denied":[],"sources":["10.8.0.2"]}]}}`
	if _, err := Read([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"mtu":1420`, `"mtu":"1420"`},
		{`"mtu":1420`, `"mtu":9001`},
		{`"mtu":1420,`, ``},
		{`"closedNetworks":[],`, ``},
		{`"closedNetworks":[]`, `"closedNetworks":null`},
		{`"closedNetworks":[]`, `"closedNetworks":["10.0.0.0/8;"]`},
		{`"closedNetworks":[]`, `"closedNetworks":["fe80::1%eth0"]`},
		{`"closedTcpPorts":[]`, `"closedTcpPorts":[65536]`},
		{`"openPorts":[]`, `"openPorts":[{"protocol":"icmp","port":1}]`},
		{`"nameServers":[]`, `"nameServers":["::/0"]`},
		{`"denied":[]},"groups"`, `"groups"`},
		{`"sources":["10.8.0.2"]`, `"sources":["10.8.0.0/24"]`},
		{`"sources":["10.8.0.2"]`, `"sources":["10.8.0.2","10.8.0.2"]`},
		{`"sources":["10.8.0.2"]`, `"sources":["10.8.0.2"],"more":1`},
		{`]}}`, `]}}{}`},
	} {
		wrong := strings.Replace(whole, change[0], change[1], 1)
		if wrong == whole {
			t.Fatalf("nothing to change: %s", change[0])
		}
		if _, err := Read([]byte(wrong)); err == nil {
			t.Errorf("taken: %s", wrong)
		}
	}
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte(`{"addresses":["10.8.0.1/24"],"mtu":1420}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if rules, err := Read(line); err == nil && rules == nil {
			t.Error("neither rules nor an error")
		}
	})
}

func BenchmarkAllows(b *testing.B) {
	settings := Settings{Addresses: []string{"10.8.0.1/24"}, MTU: 1420}
	for index := range 50_000 {
		settings.Access.Everyone.Denied = append(settings.Access.Everyone.Denied, fmt.Sprintf("%d.%d.%d.0/25", 11+index>>16, index>>8&255, index&255))
	}
	settings.Access.Groups, settings.Access.Everyone.Allowed = []Group{}, []string{}
	settings.ClosedNetworks, settings.ClosedTCPPorts, settings.OpenPorts, settings.NameServers = []string{}, []uint16{}, []OpenPort{}, []string{}
	rules, err := settings.rules()
	if err != nil {
		b.Fatal(err)
	}
	source, target := netip.MustParseAddr("10.8.0.2"), netip.MustParseAddr("203.0.113.1")
	for range b.N {
		rules.Allows(source, target, TCP, 443, false)
	}
}
