package network

import (
	"errors"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// A flow lives longer once it was answered (RFC 4787 requires at least two minutes).
const (
	unansweredFor = 30 * time.Second
	answeredFor   = 3 * time.Minute
)

type flowKey struct{ source, target netip.AddrPort }

type udpSide struct {
	mutex sync.Mutex
	flows map[flowKey]*udpFlow
	ports map[netip.AddrPort]*portUse
}

// A device's port maps to the same port of the machine towards every target. Without that, calls between two people behind such
// machines find no direct path (RFC 4787, endpoint-independent mapping).
type portUse struct {
	port  int
	flows int
}

type udpFlow struct {
	*flow
	socket *os.File
	way    syscall.RawConn
}

func (network *Network) onUDP(id stack.TransportEndpointID, packet *stack.PacketBuffer) bool {
	source, target := ends(id)
	flow := network.udpFlow(source, target)
	if flow == nil {
		return true
	}
	payload := packet.Data().AsRange().ToSlice()
	flow.touch()
	err := sendNow(flow.way, payload)
	if errors.Is(err, syscall.ECONNREFUSED) {
		// The error belongs to an earlier datagram, and was reported instead of sending this one.
		network.refused(flow)
		err = sendNow(flow.way, payload)
	}
	if why := whyUnreachable(err); why != nil {
		network.tellUnreachable(*why, header.UDPProtocolNumber, source.Addr(), target.Addr(),
			portsFirst(source.Port(), target.Port(), uint32(header.UDPMinimumSize+len(payload))<<16))
	}
	return true
}

func (network *Network) udpFlow(source, target netip.AddrPort) *udpFlow {
	side, key := &network.udp, flowKey{source, target}
	side.mutex.Lock()
	found := side.flows[key]
	side.mutex.Unlock()
	if found != nil {
		return found
	}
	opened := network.open(UDP, source, target, unansweredFor)
	if opened == nil {
		return nil
	}
	side.mutex.Lock()
	if other := side.flows[key]; other != nil {
		side.mutex.Unlock()
		network.ledger.close(opened)
		return other
	}
	use := side.ports[source]
	if use == nil {
		use = &portUse{}
	}
	socket, way, err := connectedUDP(target, use)
	if err != nil {
		side.mutex.Unlock()
		network.ledger.close(opened)
		if why := whyUnreachable(err); why != nil {
			network.tellUnreachable(*why, header.UDPProtocolNumber, source.Addr(), target.Addr(), portsFirst(source.Port(), target.Port(), 8<<16))
		}
		return nil
	}
	use.flows++
	side.ports[source] = use
	made := &udpFlow{opened, socket, way}
	side.flows[key] = made
	side.mutex.Unlock()
	opened.whenEnded(func() {
		_ = socket.Close()
		side.mutex.Lock()
		defer side.mutex.Unlock()
		delete(side.flows, key)
		if use.flows--; use.flows == 0 {
			delete(side.ports, source)
		}
	})
	go network.answers(made)
	return made
}

// answers forwards the target's datagrams until the flow ends.
func (network *Network) answers(flow *udpFlow) {
	defer network.ledger.close(flow.flow)
	for {
		piece, count, err := readDatagram(flow.way)
		switch {
		case errors.Is(err, syscall.ECONNREFUSED):
			network.refused(flow)
			continue
		case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
			network.tellUnreachable(unreachableHost, header.UDPProtocolNumber, flow.source.Addr(), flow.target.Addr(),
				portsFirst(flow.source.Port(), flow.target.Port(), 8<<16))
			continue
		case errors.Is(err, syscall.EMSGSIZE):
			continue // the path MTU, which the kernel now knows
		case err != nil:
			return
		}
		flow.touch()
		flow.patient.Store(int64(answeredFor))
		network.sendUDP(flow.target, flow.source, (*piece)[:count])
		pieces.Put(piece)
	}
}

func (network *Network) refused(flow *udpFlow) {
	network.tellUnreachable(unreachablePort, header.UDPProtocolNumber, flow.source.Addr(), flow.target.Addr(),
		portsFirst(flow.source.Port(), flow.target.Port(), 8<<16))
}

// connectedUDP opens a socket that receives only from its target, on the machine's port for this port of the device.
func connectedUDP(target netip.AddrPort, use *portUse) (*os.File, syscall.RawConn, error) {
	descriptor, err := unix.Socket(familyOf(target.Addr()), unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	fail := func(err error) (*os.File, syscall.RawConn, error) {
		unix.Close(descriptor)
		return nil, nil, err
	}
	share := func() error { return unix.SetsockoptInt(descriptor, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1) }
	// The first socket takes an unshared port, and then shares it.
	isFirst := use.port == 0
	if !isFirst {
		if err := share(); err != nil {
			return fail(err)
		}
	}
	if err := unix.Bind(descriptor, socketAddress(netip.AddrPortFrom(unspecified(target.Addr()), uint16(use.port)))); err != nil {
		return fail(err)
	}
	if isFirst {
		if err := share(); err != nil {
			return fail(err)
		}
	}
	if err := unix.Connect(descriptor, socketAddress(target)); err != nil {
		return fail(err)
	}
	if isFirst {
		bound, err := unix.Getsockname(descriptor)
		if err != nil {
			return fail(err)
		}
		switch bound := bound.(type) {
		case *unix.SockaddrInet4:
			use.port = bound.Port
		case *unix.SockaddrInet6:
			use.port = bound.Port
		}
	}
	// Discard what anybody sent to the port before it was connected.
	var nothing [1]byte
	for {
		if _, err := unix.Read(descriptor, nothing[:]); err != nil {
			break
		}
	}
	return pollable(descriptor)
}

func pollable(descriptor int) (*os.File, syscall.RawConn, error) {
	socket := os.NewFile(uintptr(descriptor), "socket")
	way, err := socket.SyscallConn()
	if err != nil {
		socket.Close()
		return nil, nil, err
	}
	return socket, way, nil
}

// sendNow sends without waiting, or drops the datagram.
func sendNow(way syscall.RawConn, payload []byte) error {
	var failed error
	if err := way.Write(func(descriptor uintptr) bool {
		_, failed = syscall.Write(int(descriptor), payload)
		return true
	}); err != nil {
		return err
	}
	return failed
}

// readDatagram is readPiece for datagrams: an empty one is not the end.
func readDatagram(way syscall.RawConn) (piece *[]byte, count int, err error) {
	failed := way.Read(func(descriptor uintptr) bool {
		piece = pieces.Get().(*[]byte)
		count, err = syscall.Read(int(descriptor), *piece)
		if err == nil {
			return true
		}
		pieces.Put(piece)
		return err != syscall.EAGAIN && err != syscall.EINTR
	})
	if failed != nil {
		err = failed
	}
	return piece, count, err
}

func familyOf(address netip.Addr) int {
	if address.Is4() {
		return unix.AF_INET
	}
	return unix.AF_INET6
}

func unspecified(address netip.Addr) netip.Addr {
	if address.Is4() {
		return netip.IPv4Unspecified()
	}
	return netip.IPv6Unspecified()
}

func socketAddress(of netip.AddrPort) unix.Sockaddr {
	if of.Addr().Is4() {
		return &unix.SockaddrInet4{Port: int(of.Port()), Addr: of.Addr().As4()}
	}
	return &unix.SockaddrInet6{Port: int(of.Port()), Addr: of.Addr().As16()}
}
