// Package network forwards devices' traffic if the machine does not allow a network interface. Its own stack takes packets
// from the tunnel and forwards them by the host's ordinary sockets. None of this needs privileges.
package network

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"golang.zx2c4.com/wireguard/tun"
	"gvisor.dev/gvisor/pkg/log"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv6"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/udp"
)

const (
	onlyCard  tcpip.NICID = 1
	firstMTU              = 1420
	lookEvery             = 2 * time.Second
)

// Network forwards nothing until the first Apply.
type Network struct {
	link   *link
	change sync.Mutex
	stack  *stack.Stack
	ledger *ledger
	rules  atomic.Pointer[Rules]
	sha256 atomic.Pointer[string]
	owners atomic.Pointer[owners]
	speeds atomic.Pointer[[]byte]
	shared buckets // under change
	own    ownAddresses
	tcp    tcpSide
	udp    udpSide
	echo   echoSide
	over   context.Context
	finish context.CancelFunc
}

func New(name string, limits Limits) (*Network, error) {
	made := &Network{
		link:   newLink(name, firstMTU),
		ledger: newLedger(limits),
		stack: stack.New(stack.Options{
			NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol, ipv6.NewProtocol},
			TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol, udp.NewProtocol},
		}),
	}
	made.over, made.finish = context.WithCancel(context.Background())
	made.udp.ports = map[netip.AddrPort]*portUse{}
	made.udp.flows = map[flowKey]*udpFlow{}
	made.echo.flows = map[flowKey]*echoFlow{}
	made.link.intercept = made.intercept
	if err := made.setUp(); err != nil {
		return nil, fmt.Errorf("no network stack: %s", err)
	}
	go made.look()
	return made, nil
}

// Device is the tunnel's interface.
func (network *Network) Device() tun.Device { return network.link }

func (network *Network) setUp() tcpip.Error {
	log.SetLevel(log.Warning) // do not log devices' traffic
	selective, cubic := tcpip.TCPSACKEnabled(true), tcpip.CongestionControlOption("cubic")
	// Time-based loss recovery loses throughput if packets are reordered.
	recovery, waiting, tries := tcpip.TCPRecovery(0), tcpip.TCPTimeWaitTimeoutOption(5*time.Second), tcpip.TCPSynRetriesOption(4)
	buffer := tcpip.TCPReceiveBufferSizeRangeOption{Min: 4 << 10, Default: mostBuffer, Max: mostBuffer}
	sending := tcpip.TCPSendBufferSizeRangeOption{Min: 4 << 10, Default: mostBuffer, Max: mostBuffer}
	for _, option := range []tcpip.SettableTransportProtocolOption{&selective, &cubic, &recovery, &waiting, &tries, &buffer, &sending} {
		if err := network.stack.SetTransportProtocolOption(tcp.ProtocolNumber, option); err != nil {
			return err
		}
	}
	if err := network.stack.CreateNIC(onlyCard, card{network.link}); err != nil {
		return err
	}
	// Accept packets for any address, and answer from it.
	if err := network.stack.SetPromiscuousMode(onlyCard, true); err != nil {
		return err
	}
	if err := network.stack.SetSpoofing(onlyCard, true); err != nil {
		return err
	}
	network.stack.SetRouteTable([]tcpip.Route{
		{Destination: header.IPv4EmptySubnet, NIC: onlyCard},
		{Destination: header.IPv6EmptySubnet, NIC: onlyCard},
	})
	network.startTCP()
	network.stack.SetTransportProtocolHandler(udp.ProtocolNumber, network.onUDP)
	return nil
}

// Apply accepts a line of settings entirely or not at all. Flows that it forbids end.
func (network *Network) Apply(line []byte) error {
	rules, err := Read(line)
	if err != nil {
		return err
	}
	network.change.Lock()
	defer network.change.Unlock()
	if err := network.stack.SetNICMTU(onlyCard, uint32(rules.mtu)); err != nil {
		return fmt.Errorf("no MTU: %s", err)
	}
	applied := fmt.Sprintf("%x", sha256.Sum256(line))
	network.rules.Store(rules)
	network.sha256.Store(&applied)
	network.ledger.endWhere(func(each *flow) bool { return !network.allows(each) })
	return nil
}

// Applied is the SHA-256 of the line in force; empty before the first.
func (network *Network) Applied() string {
	if applied := network.sha256.Load(); applied != nil {
		return *applied
	}
	return ""
}

// Limit accepts a line of speed limits entirely or not at all.
func (network *Network) Limit(line []byte) error {
	wanted, err := ReadSpeeds(line)
	if err != nil {
		return err
	}
	network.change.Lock()
	defer network.change.Unlock()
	if network.shared.path != wanted.File {
		// The one before stays: packets may be counted there at this moment.
		opened, err := openBuckets(wanted.File)
		if err != nil {
			return err
		}
		network.shared = opened
	}
	network.link.limitSpeeds(wanted.Limits, network.shared)
	limited := bytes.Clone(line)
	network.speeds.Store(&limited)
	return nil
}

// Limited is the line of speed limits in force; empty before the first.
func (network *Network) Limited() []byte {
	if limited := network.speeds.Load(); limited != nil {
		return *limited
	}
	return nil
}

// PeersAre takes a WireGuard device's answer to get=1. Flows of removed peers end.
func (network *Network) PeersAre(answer io.Reader) error {
	fresh, err := readOwners(answer)
	if err != nil {
		return err
	}
	network.owners.Store(fresh)
	network.ledger.endWhere(func(each *flow) bool { return !network.isOwner(each) })
	return nil
}

// Flows returns the number of open flows.
func (network *Network) Flows() int { return network.ledger.size() }

func (network *Network) Close() {
	network.finish()
	network.ledger.endWhere(func(*flow) bool { return true })
	_ = network.link.Close()
	network.stack.Destroy()
}

func (network *Network) look() {
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-network.over.Done():
			return
		case <-ticks.C:
			network.ledger.endSilent()
			// The machine may have got an address that is a flow's target.
			network.ledger.endWhere(func(each *flow) bool { return !network.allows(each) })
		}
	}
}

// open begins a flow; nil if it is forbidden or its source belongs to no peer. It notices rules that change meanwhile:
// the flow is in the ledger before it is checked again.
func (network *Network) open(protocol Protocol, source, target netip.AddrPort, patience time.Duration) *flow {
	device, isThere := network.owners.Load().of(source.Addr())
	if !isThere || !network.passes(protocol, source, target) {
		return nil
	}
	opened := network.ledger.open(protocol, device, source, target, patience)
	if !network.allows(opened) || !network.isOwner(opened) {
		network.ledger.close(opened)
		return nil
	}
	return opened
}

func (network *Network) passes(protocol Protocol, source, target netip.AddrPort) bool {
	port := target.Port()
	if protocol == Echo {
		port = 0
	}
	return network.rules.Load().Allows(source.Addr(), target.Addr(), protocol, port, network.own.has(target.Addr()))
}

func (network *Network) allows(each *flow) bool {
	return network.passes(each.protocol, each.source, each.target)
}

func (network *Network) isOwner(each *flow) bool {
	device, isThere := network.owners.Load().of(each.source.Addr())
	return isThere && device == each.device
}

// intercept hides from the stack what it would answer itself. The stack handles only TCP and UDP.
func (network *Network) intercept(packet []byte) bool {
	switch packet[0] >> 4 {
	case 4:
		head := header.IPv4(packet)
		if len(packet) < header.IPv4MinimumSize || !head.IsValid(len(packet)) {
			return true
		}
		switch head.TransportProtocol() {
		case header.TCPProtocolNumber, header.UDPProtocolNumber:
			return false
		case header.ICMPv4ProtocolNumber:
			if !head.More() && head.FragmentOffset() == 0 {
				network.onEcho(addressOf(head.SourceAddress()), addressOf(head.DestinationAddress()), head.Payload())
			}
		}
	case 6:
		head := header.IPv6(packet)
		if len(packet) < header.IPv6MinimumSize || !head.IsValid(len(packet)) {
			return true
		}
		switch next := head.NextHeader(); {
		case next == uint8(header.TCPProtocolNumber) || next == uint8(header.UDPProtocolNumber):
			return false
		case next == header.IPv6FragmentHeader && len(head.Payload()) >= header.IPv6FragmentHeaderSize:
			inner := head.Payload()[0]
			return inner != uint8(header.TCPProtocolNumber) && inner != uint8(header.UDPProtocolNumber)
		case next == uint8(header.ICMPv6ProtocolNumber):
			network.onEcho(addressOf(head.SourceAddress()), addressOf(head.DestinationAddress()), head.Payload())
		}
	}
	return true
}

// MachineLimits are the limits by this machine's file descriptors and memory.
func MachineLimits() Limits {
	limits := Limits{PerDevice: [3]int{TCP: 1024, UDP: 1024, Echo: 64}, Total: 32768, Bytes: 512 << 20}
	var files unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &files) == nil {
		limits.Total = int(min(uint64(limits.Total), max(64, files.Cur-min(files.Cur, 64))))
	}
	if memory := memoryOfMachine(); memory > 0 {
		limits.Bytes = max(16<<20, min(limits.Bytes, memory/4))
	}
	return limits
}

// Conversions between the two libraries' addresses.

func addressOf(address tcpip.Address) netip.Addr {
	read, _ := netip.AddrFromSlice(address.AsSlice())
	return read
}

func stackAddress(address netip.Addr) tcpip.Address { return tcpip.AddrFromSlice(address.AsSlice()) }

func protocolOf(address netip.Addr) tcpip.NetworkProtocolNumber {
	if address.Is4() {
		return header.IPv4ProtocolNumber
	}
	return header.IPv6ProtocolNumber
}
