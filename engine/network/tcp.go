package network

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"
)

const (
	dialFor = 75 * time.Second
	// The minimum of RFC 5382 for an open connection; a half-closed one may end sooner.
	silentFor     = 2*time.Hour + 4*time.Minute
	halfSilentFor = 5 * time.Minute
	// How long the target's last bytes may take to reach the device after both sides have closed.
	deliverFor = time.Minute
	pieceSize  = 64 << 10
)

var pieces = sync.Pool{New: func() any { piece := make([]byte, pieceSize); return &piece }}

type tcpSide struct {
	forwarder *tcp.Forwarder
	// Sequence numbers of SYN packets whose targets are being dialled. An ICMP error must quote them.
	asked sync.Map // stack.TransportEndpointID → uint32
}

func (network *Network) startTCP() {
	// The ledger enforces each device's limit.
	const atOnce = 1 << 30
	network.tcp.forwarder = tcp.NewForwarder(network.stack, mostBuffer, atOnce, network.connect)
	network.stack.SetTransportProtocolHandler(tcp.ProtocolNumber, network.onTCP)
}

// onTCP gets packets that belong to no connection.
func (network *Network) onTCP(id stack.TransportEndpointID, packet *stack.PacketBuffer) bool {
	source, target := ends(id)
	if !network.passes(TCP, source, target) {
		return true // dropped silently, as by a firewall
	}
	head := header.TCP(packet.TransportHeader().Slice())
	if head.Flags()&(header.TCPFlagSyn|header.TCPFlagAck) == header.TCPFlagSyn {
		network.tcp.asked.Store(id, head.SequenceNumber())
	}
	if network.tcp.forwarder.HandlePacket(id, packet) {
		return true
	}
	network.tcp.asked.Delete(id)
	return false // the stack answers that there is no such connection
}

func ends(id stack.TransportEndpointID) (source, target netip.AddrPort) {
	return netip.AddrPortFrom(addressOf(id.RemoteAddress), id.RemotePort),
		netip.AddrPortFrom(addressOf(id.LocalAddress), id.LocalPort)
}

// connect dials the target before it accepts the device's connection, so the device sees a refusal by the target.
func (network *Network) connect(request *tcp.ForwarderRequest) {
	id := request.ID()
	source, target := ends(id)
	opened := network.open(TCP, source, target, dialFor+deliverFor)
	if opened == nil {
		request.Complete(false)
		network.tcp.asked.Delete(id)
		return
	}
	defer network.ledger.close(opened)
	dialling, stop := context.WithTimeout(network.over, dialFor)
	opened.whenEnded(stop)
	dialer := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Minute}}
	far, err := dialer.DialContext(dialling, "tcp", target.String())
	stop()
	if err != nil {
		request.Complete(errors.Is(err, syscall.ECONNREFUSED))
		if sequence, isAsked := network.tcp.asked.LoadAndDelete(id); isAsked && !opened.hasEnded() {
			if why := whyUnreachable(err); why != nil {
				network.tellUnreachable(*why, header.TCPProtocolNumber, source.Addr(), target.Addr(), portsFirst(source.Port(), target.Port(), sequence.(uint32)))
			}
		}
		return
	}
	connection := far.(*net.TCPConn)
	opened.whenEnded(func() { reset(connection) })
	var queue waiter.Queue
	near, failed := request.CreateEndpoint(&queue)
	request.Complete(false)
	network.tcp.asked.Delete(id)
	if failed != nil {
		reset(connection)
		return
	}
	near.SocketOptions().SetReceiveBufferSize(int64(opened.weight/2), true)
	near.SocketOptions().SetSendBufferSize(int64(opened.weight/2), true)
	near.SocketOptions().SetDelayOption(false)
	opened.whenEnded(func() {
		reset(connection)
		near.Abort()
	})
	opened.patient.Store(int64(silentFor))
	opened.touch()
	network.join(opened, near, &queue, connection)
}

func whyUnreachable(err error) *unreachable {
	switch {
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return &unreachableHost
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return &prohibited
	}
	return nil
}

// reset ends a connection at once, without waiting for what was sent.
func reset(connection *net.TCPConn) {
	_ = connection.SetLinger(0)
	_ = connection.Close()
}

// join copies in both directions until both end or one fails.
func (network *Network) join(flow *flow, near tcpip.Endpoint, queue *waiter.Queue, far *net.TCPConn) {
	both := make(chan error, 2)
	go func() { both <- upload(flow, near, queue, far) }()
	go func() { both <- download(flow, near, queue, far) }()
	first := <-both
	if first == nil {
		flow.patient.Store(int64(halfSilentFor))
		first = <-both
	} else {
		flow.end() // the other direction notices, and both sides get a reset
		<-both
	}
	if first != nil || flow.hasEnded() {
		flow.end()
		return
	}
	// Both sides have closed; the last bytes may still be on the way to the device.
	gone, left := waiter.NewChannelEntry(waiter.EventHUp)
	queue.EventRegister(&gone)
	defer queue.EventUnregister(&gone)
	near.Close()
	_ = far.Close()
	if tcp.EndpointState(near.State()) != tcp.StateClose {
		select {
		case <-left:
		case <-flow.ended:
			return
		case <-time.After(deliverFor):
			return // the flow then ends with a reset
		}
	}
	flow.whenEnded(func() {})
}

var errReset = errors.New("reset by the device")

// upload returns nil when the device closes its direction.
func upload(flow *flow, near tcpip.Endpoint, queue *waiter.Queue, far *net.TCPConn) error {
	arrived, news := waiter.NewChannelEntry(waiter.ReadableEvents | waiter.EventHUp | waiter.EventErr)
	queue.EventRegister(&arrived)
	defer queue.EventUnregister(&arrived)
	for {
		piece := pieces.Get().(*[]byte)
		into := tcpip.SliceWriter(*piece)
		read, err := near.Read(&into, tcpip.ReadOptions{})
		var failed error
		if err == nil {
			flow.touch()
			_, failed = far.Write((*piece)[:read.Count])
		}
		pieces.Put(piece)
		switch err.(type) {
		case nil:
			if failed != nil {
				return failed
			}
		case *tcpip.ErrWouldBlock:
			select {
			case <-news:
			case <-flow.ended:
				return net.ErrClosed
			}
		case *tcpip.ErrClosedForReceive:
			return far.CloseWrite()
		default:
			return errReset
		}
	}
}

// download returns nil when the target closes its direction.
func download(flow *flow, near tcpip.Endpoint, queue *waiter.Queue, far *net.TCPConn) error {
	emptied, news := waiter.NewChannelEntry(waiter.WritableEvents | waiter.EventHUp | waiter.EventErr)
	queue.EventRegister(&emptied)
	defer queue.EventUnregister(&emptied)
	source, err := far.SyscallConn()
	if err != nil {
		return err
	}
	for {
		piece, count, err := readPiece(source)
		if errors.Is(err, io.EOF) {
			near.Shutdown(tcpip.ShutdownWrite)
			return nil
		}
		if err != nil {
			return err
		}
		flow.touch()
		err = writeAll(flow, near, news, (*piece)[:count])
		pieces.Put(piece)
		if err != nil {
			return err
		}
	}
}

func writeAll(flow *flow, near tcpip.Endpoint, news <-chan struct{}, data []byte) error {
	var rest bytes.Reader
	for len(data) > 0 {
		rest.Reset(data) // more may have been read than was accepted
		taken, err := near.Write(&rest, tcpip.WriteOptions{})
		data = data[taken:]
		switch err.(type) {
		case nil:
			flow.touch()
		case *tcpip.ErrWouldBlock:
			select {
			case <-news:
			case <-flow.ended:
				return net.ErrClosed
			}
		default:
			return errReset
		}
	}
	return nil
}

// readPiece waits for data, and only then takes a buffer for it.
func readPiece(source syscall.RawConn) (piece *[]byte, count int, err error) {
	failed := source.Read(func(descriptor uintptr) bool {
		piece = pieces.Get().(*[]byte)
		for {
			count, err = syscall.Read(int(descriptor), *piece)
			if err != syscall.EINTR {
				break
			}
		}
		if err == nil && count > 0 {
			return true
		}
		pieces.Put(piece)
		piece = nil
		return err != syscall.EAGAIN
	})
	switch {
	case failed != nil:
		return nil, 0, failed
	case err != nil:
		return nil, 0, os.NewSyscallError("read", err)
	case piece == nil:
		return nil, 0, io.EOF
	}
	return piece, count, nil
}
