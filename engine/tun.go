package main

import (
	engine "github.com/metacubex/wireguard-go/tun"
	"golang.zx2c4.com/wireguard/tun"
)

// The engine's library has no device of its own; wireguard-go's differs from what it expects in the type of its events alone.
type adapted struct {
	tun.Device
	events chan engine.Event
}

func adapt(link tun.Device) engine.Device {
	events := make(chan engine.Event)
	go func() {
		defer close(events)
		for event := range link.Events() {
			events <- engine.Event(event)
		}
	}()
	return &adapted{link, events}
}

func (link *adapted) Events() <-chan engine.Event { return link.events }
