package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	amnezia "github.com/metacubex/amneziawg-go/device"
	metaconn "github.com/metacubex/wireguard-go/conn"
	metadevice "github.com/metacubex/wireguard-go/device"
	metatun "github.com/metacubex/wireguard-go/tun"
	"golang.zx2c4.com/wireguard/conn"
	"golang.zx2c4.com/wireguard/device"
	"golang.zx2c4.com/wireguard/tun"

	"krug/engine/network"
)

const (
	wireguard = "wireguard"
	amneziawg = "amneziawg"
)

// protocol is what both libraries' devices have in common.
type protocol interface {
	IpcGetOperation(io.Writer) error
	IpcSetOperation(io.Reader) error
	Wait() chan struct{}
	Close()
}

type tunnel struct {
	protocol
	network *network.Network // nil if the machine's own network stack forwards the traffic
	setting sync.Mutex
	stopped context.Context
	stop    context.CancelFunc
}

func newTunnel(wished wish) (*tunnel, error) {
	made := &tunnel{}
	made.stopped, made.stop = context.WithCancel(context.Background())
	var link tun.Device
	if wished.isUserspace {
		own, err := network.New(wished.name, network.MachineLimits())
		if err != nil {
			return nil, err
		}
		made.network, link = own, own.Device()
	} else {
		kernels, err := tun.CreateTUN(wished.name, device.DefaultMTU)
		if err != nil {
			return nil, fmt.Errorf("no tunnel device: %w", err)
		}
		link = kernels
	}
	level := device.LogLevelError
	if wished.isDebug {
		level = device.LogLevelVerbose
	}
	prefix := fmt.Sprintf("(%s) ", wished.name)
	// Plain WireGuard uses its authors' library: `wg` understands its answers, and it refuses AmneziaWG's fields.
	if wished.kind == wireguard {
		made.protocol = device.NewDevice(link, conn.NewDefaultBind(), device.NewLogger(level, prefix))
	} else {
		made.protocol = amnezia.NewDevice(adapt(link), metaconn.NewDefaultBind(), metadevice.NewLogger(level, prefix), 0)
	}
	return made, nil
}

func (tunnel *tunnel) Close() {
	tunnel.protocol.Close()
	if tunnel.network != nil {
		tunnel.network.Close()
	}
}

// AmneziaWG's library has no TUN device of its own. Wireguard-go's differs from the expected one only in its event type.
type adapted struct {
	tun.Device
	events chan metatun.Event
}

func adapt(link tun.Device) metatun.Device {
	events := make(chan metatun.Event)
	go func() {
		defer close(events)
		for event := range link.Events() {
			events <- metatun.Event(event)
		}
	}()
	return &adapted{link, events}
}

func (link *adapted) Events() <-chan metatun.Event { return link.events }
