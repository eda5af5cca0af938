package network

import (
	"encoding/binary"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/tcpip/header"
)

const (
	echoHead     = 8
	echoPatience = 30 * time.Second
)

type echoSide struct {
	mutex sync.Mutex
	flows map[flowKey]*echoFlow
}

type echoFlow struct {
	*flow
	socket *os.File
	way    syscall.RawConn
}

// onEcho handles an ICMP message. It forwards an echo request by the kernel's unprivileged ping socket. If the kernel offers none
// (net.ipv4.ping_group_range), the ping gets no answer: the engine never answers for a target.
func (network *Network) onEcho(from, to netip.Addr, message []byte) {
	request, reply := byte(header.ICMPv4Echo), byte(header.ICMPv4EchoReply)
	if to.Is6() {
		request, reply = byte(header.ICMPv6EchoRequest), byte(header.ICMPv6EchoReply)
	}
	if len(message) < echoHead || message[0] != request || message[1] != 0 {
		return
	}
	identifier := binary.BigEndian.Uint16(message[4:])
	source, target := netip.AddrPortFrom(from, identifier), netip.AddrPortFrom(to, 0)
	if rules := network.rules.Load(); rules != nil && rules.gateways[to] {
		// The gateway answers pings to its own address itself.
		answer := append([]byte(nil), message...)
		answer[0] = reply
		network.sendICMP(to, from, answer)
		return
	}
	flow := network.echoFlow(source, target)
	if flow == nil {
		return
	}
	flow.touch()
	// The kernel sets the identifier and the checksum.
	_ = sendNow(flow.way, message)
}

func (network *Network) echoFlow(source, target netip.AddrPort) *echoFlow {
	side, key := &network.echo, flowKey{source, target}
	side.mutex.Lock()
	found := side.flows[key]
	side.mutex.Unlock()
	if found != nil {
		return found
	}
	opened := network.open(Echo, source, target, echoPatience)
	if opened == nil {
		return nil
	}
	socket, way, err := connectedPing(target)
	if err != nil {
		network.ledger.close(opened)
		return nil
	}
	made := &echoFlow{opened, socket, way}
	side.mutex.Lock()
	if other := side.flows[key]; other != nil {
		side.mutex.Unlock()
		_ = socket.Close()
		network.ledger.close(opened)
		return other
	}
	side.flows[key] = made
	side.mutex.Unlock()
	opened.whenEnded(func() {
		_ = socket.Close()
		side.mutex.Lock()
		defer side.mutex.Unlock()
		delete(side.flows, key)
	})
	go network.echoes(made)
	return made
}

func (network *Network) echoes(flow *echoFlow) {
	defer network.ledger.close(flow.flow)
	for {
		piece, count, err := readDatagram(flow.way)
		if isTold(err) {
			continue // a router's error about an earlier one
		}
		if err != nil {
			return
		}
		if count >= echoHead {
			flow.touch()
			answer := append([]byte(nil), (*piece)[:count]...)
			binary.BigEndian.PutUint16(answer[4:], flow.source.Port())
			network.sendICMP(flow.target.Addr(), flow.source.Addr(), answer)
		}
		pieces.Put(piece)
	}
}

func isTold(err error) bool {
	switch err {
	case syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ECONNREFUSED, syscall.EMSGSIZE, syscall.EACCES:
		return true
	}
	return false
}

func connectedPing(target netip.AddrPort) (*os.File, syscall.RawConn, error) {
	protocol := unix.IPPROTO_ICMP
	if target.Addr().Is6() {
		protocol = unix.IPPROTO_ICMPV6
	}
	descriptor, err := unix.Socket(familyOf(target.Addr()), unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, protocol)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.Connect(descriptor, socketAddress(target)); err != nil {
		unix.Close(descriptor)
		return nil, nil, err
	}
	return pollable(descriptor)
}
