module krug/engine

go 1.23.1

toolchain go1.26.8

require (
	github.com/metacubex/amneziawg-go v0.0.0-20260816073447-736a78668832
	github.com/metacubex/wireguard-go v0.0.0-20250820062549-a6cecdd7f57f
	golang.org/x/sys v0.32.0
	golang.zx2c4.com/wireguard v0.0.0-20260522210424-ecfc5a8d5446
	gvisor.dev/gvisor v0.0.0-20250503011706-39ed1f5ac29c
)

require (
	github.com/google/btree v1.1.2 // indirect
	golang.org/x/crypto v0.37.0 // indirect
	golang.org/x/net v0.39.0 // indirect
	golang.org/x/time v0.7.0 // indirect
	golang.zx2c4.com/wintun v0.0.0-20230126152724-0fa3db229ce2 // indirect
)
