package network

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

var small = Limits{PerDevice: [3]int{TCP: 3, UDP: 3, Echo: 1}, Total: 5, Bytes: 64 << 20}

func openFlow(ledger *ledger, device string, protocol Protocol, port uint16) *flow {
	source := netip.AddrPortFrom(netip.MustParseAddr("10.8.0.2"), port)
	opened := ledger.open(protocol, device, source, netip.MustParseAddrPort("203.0.113.1:80"), time.Hour)
	opened.touched.Store(int64(port)) // the lower, the longer it has been silent
	return opened
}

func TestADeviceAtItsLimitLosesItsOwnOldestFlow(t *testing.T) {
	ledger := newLedger(small)
	others := openFlow(ledger, "boris", UDP, 1)
	ping := openFlow(ledger, "anna", Echo, 2)
	first := []*flow{openFlow(ledger, "anna", UDP, 5), openFlow(ledger, "anna", UDP, 4), openFlow(ledger, "anna", UDP, 6)}
	openFlow(ledger, "anna", UDP, 7)
	if !first[1].hasEnded() || first[0].hasEnded() || first[2].hasEnded() {
		t.Error("the flow that was silent longest must end")
	}
	if others.hasEnded() || ping.hasEnded() {
		t.Error("another device and another protocol must not be affected")
	}
}

func TestIfFullTheDeviceWithMostFlowsLosesOne(t *testing.T) {
	ledger := newLedger(small)
	boris := openFlow(ledger, "boris", UDP, 1)
	for port := uint16(2); port <= 5; port++ {
		protocol := UDP
		if port%2 == 0 {
			protocol = TCP
		}
		openFlow(ledger, "anna", protocol, port)
	}
	vera := openFlow(ledger, "vera", TCP, 9)
	if boris.hasEnded() || vera.hasEnded() || ledger.size() != small.Total {
		t.Errorf("a new device must get room and one with few flows must keep them: %d flows", ledger.size())
	}
}

func TestBuffersOfADeviceAreBounded(t *testing.T) {
	ledger := newLedger(Limits{PerDevice: [3]int{TCP: 1024, UDP: 1024, Echo: 64}, Total: 32768, Bytes: 1 << 40})
	for port := range 5_000 {
		opened := openFlow(ledger, "anna", TCP, uint16(port))
		if port%3 == 0 {
			ledger.close(opened) // room for large buffers returns only when large ones close
		}
	}
	if ledger.bytes > 110<<20 {
		t.Errorf("%d MB", ledger.bytes>>20)
	}
	ledger.endWhere(func(*flow) bool { return true })
	if ledger.bytes != 0 || ledger.count != 0 || len(ledger.devices) != 0 {
		t.Error("something is left")
	}
}

func TestSilentFlowsEnd(t *testing.T) {
	ledger := newLedger(small)
	source, target := netip.MustParseAddrPort("10.8.0.2:1"), netip.MustParseAddrPort("203.0.113.1:80")
	silent := ledger.open(UDP, "anna", source, target, -1)
	patient := ledger.open(UDP, "anna", source, target, time.Hour)
	ledger.endSilent()
	if !silent.hasEnded() || patient.hasEnded() {
		t.Error("only flows silent for too long must end")
	}
}

func TestAnActionRegisteredAfterTheEndRunsAtOnce(t *testing.T) {
	ledger := newLedger(small)
	opened := openFlow(ledger, "anna", TCP, 1)
	count := 0
	opened.whenEnded(func() { t.Error("it was replaced") })
	opened.whenEnded(func() { count++ })
	ledger.close(opened)
	ledger.close(opened)
	opened.whenEnded(func() { count += 10 })
	if count != 11 {
		t.Errorf("%d", count)
	}
}

func TestOwnersAreThePeersThatMaySendFromAnAddress(t *testing.T) {
	read, err := readOwners(strings.NewReader("private_key=00\npublic_key=aa\nallowed_ip=10.8.0.2/32\nallowed_ip=fd42::2/128\npublic_key=bb\nallowed_ip=10.8.0.0/24\nerrno=0\n"))
	if err != nil {
		t.Fatal(err)
	}
	for address, owner := range map[string]string{"10.8.0.2": "aa", "fd42::2": "aa", "10.8.0.3": "bb", "10.9.0.1": "", "fd42::3": ""} {
		if found, _ := read.of(netip.MustParseAddr(address)); found != owner {
			t.Errorf("%s belongs to %q", address, found)
		}
	}
	var nobody *owners
	if _, isThere := nobody.of(netip.MustParseAddr("10.8.0.2")); isThere {
		t.Error("somebody")
	}
}

// A packet to a device. The first byte above IP is the given one.
func packetTo(device string, mark byte) *stack.PacketBuffer {
	head := header.IPv4(make([]byte, header.IPv4MinimumSize+1))
	to := netip.MustParseAddr(device).As4()
	head.Encode(&header.IPv4Fields{TotalLength: header.IPv4MinimumSize + 1, TTL: 64, DstAddr: tcpip.AddrFrom4(to)})
	head[header.IPv4MinimumSize] = mark
	packet := stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: buffer.MakeWithData(head)})
	packet.NetworkProtocolNumber = header.IPv4ProtocolNumber
	if _, isWhole := packet.NetworkHeader().Consume(header.IPv4MinimumSize); !isWhole {
		panic("too short")
	}
	return packet
}

func TestAFloodToOneDeviceDelaysOnlyItself(t *testing.T) {
	link := newLink("wg0", 1420)
	put := func(device string, mark byte) tcpip.Error {
		var packets stack.PacketBufferList
		packets.PushBack(packetTo(device, mark))
		_, err := link.WritePackets(packets)
		return err
	}
	lost := 0
	for mark := range 2 * waitingPerDevice {
		if put("10.8.0.2", byte(mark)) != nil {
			lost++
		}
	}
	if lost != waitingPerDevice {
		t.Errorf("%d were lost", lost)
	}
	if err := put("10.8.0.3", 77); err != nil {
		t.Fatal("another device has a queue of its own")
	}
	packets, sizes := [][]byte{make([]byte, 100), make([]byte, 100), make([]byte, 100)}, make([]int, 3)
	count, err := link.Read(packets, sizes, 16)
	if err != nil || count != 3 {
		t.Fatal(count, err)
	}
	mark := func(place int) byte { return packets[place][16+header.IPv4MinimumSize] }
	if mark(0) != 0 || mark(1) != 77 || mark(2) != 1 || sizes[1] != header.IPv4MinimumSize+1 {
		t.Errorf("in turns: %d %d %d", mark(0), mark(1), mark(2))
	}
	link.Close()
	if _, err := link.Read(packets, sizes, 16); err == nil {
		t.Error("a closed one gives nothing")
	}
}
