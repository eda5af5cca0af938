#!/usr/bin/perl
# The panel's helper on a VPN server: it runs as root, is started over SSH, and ends with that connection. It only does what "What
# may be asked" allows. Its files are exact, but anyone with the panel's key can install their own program as the engine or load
# their own ruleset, and so is root here. The list limits mistakes, not such an attacker. Of Debian's and Ubuntu's programs it
# needs only perl-base, which every system has.
#
# A message is `ID WORD LENGTH…\n`, then fields of those lengths in bytes. An answer has the ID of its request.
use strict;
use warnings;
use Errno qw(EAGAIN EFBIG EINTR EINVAL ENOENT ECONNREFUSED ECONNRESET EPIPE);
use Fcntl qw(:DEFAULT :flock);
use POSIX qw(:sys_wait_h);
use Socket;

my $VERSION = 12;

my $SETUP = '/usr/local/lib/krug/setup';
my $RESOLVER = '/usr/local/lib/krug/resolver';
my $PROGRAMS = '/usr/local/lib/krug/programs';
# The panel's engine, which it installs here; no other file is ever made. An older panel installed one under another name.
my $ENGINE = '/usr/local/lib/krug/engine';
my $OLD_ENGINE = '/usr/local/lib/krug/amneziawg-go';
# Exists if tunnels are in a container, whose first process is found and asked here (container.pl).
my $IN_CONTAINER = '/var/lib/krug/in-container';
my $DOOR = '/run/krug/tunnels.sock';
my $HEALED_EVERY_S = 15;
# The panel of each club that was obeyed last.
my $MEMORY = '/var/lib/krug/generations';
my $CLAIM_WITHIN_S = 10;
my $ENGINE_LIMIT = 32 * 1024 * 1024;
my @FOLDERS = qw(/usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin);
my %CLEAN_ENVIRONMENT = (PATH => join(':', @FOLDERS), LC_ALL => 'C');
my $STDERR_LIMIT = 2_000;
my $QUESTION_LIMIT = 64 * 1024 * 1024;

# What may be asked ----------------------------------------------------------------------------------------------------

my $NAME = qr/[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}/;
# A systemd unit's or a container's.
my $PROGRAM = qr/[A-Za-z0-9_][\w.=+@-]{0,127}/;
my $UUID = qr/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

# Each takes a program's arguments and returns whether it may run. None of them leads to a shell or to another file.
my %MAY_RUN = (
    wg => sub { fits_tunnel_program(@_) },
    ip => sub {
        my @rest = @_;
        shift @rest while @rest && $rest[0] =~ /^-(?:j|4|6)$/;
        my $object = shift(@rest) // '';
        # A slash is a network's or a mask's, and XDP and BPF load programs from files.
        my $is_file = sub { $_[0] =~ m{/} && $_[0] !~ m{^[0-9A-Fa-f.:]+/\d{1,10}$} };
        return $object =~ /^(?:address|link|route|rule)$/
          && !grep { /^(?:-|n(?:e(?:t(?:ns?)?)?)?$|(?:xdp(?:generic|drv|offload)?|encap)$)/ || $is_file->($_) } @rest;
    },
    nft => sub {
        my $line = join ' ', @_;
        return $line =~ m{^(?:-f -|list tables|-j list chains|(?:-[aj] )?list table [a-z0-9]+ [\w.-]+|-j list counters table inet krug|monitor destroy)$}
          || $line =~ m{^(?:--stateless list|delete) table inet krug$};
    },
    (map { ($_ => \&fits_iptables) } qw(iptables-nft ip6tables-nft iptables-legacy ip6tables-legacy)),
    # Members' speed limits (hosts/speed-limits.ts).
    tc => sub { join(' ', @_) =~ /^(?:(?:class|qdisc) show dev krug-speed|-batch -)$/ },
    ss => sub { join(' ', @_) =~ /^-H -ulnp sport = :\d{1,5}$/ },
    ping => sub { join(' ', @_) =~ /^-n -q -c 2 -i 0\.2 -W 1 -I (?:$NAME|[0-9a-f:]{2,39}) -M do -s \d{3,4} [0-9a-f.:]{2,39}$/ },
    uname => sub { join(' ', @_) =~ /^-[ms]$/ },
    'wireguard-go' => sub { join(' ', @_) =~ /^--foreground $NAME$/ },
    $ENGINE => sub { join(' ', @_) =~ /^--foreground (?:--type wireguard )?$NAME$/ },
    'krug-resolver' => sub { join(' ', @_) =~ /^(?:bring [1-9]\d? [0-9a-f]{16}|end [1-9]\d?)$/ },
    # Other VPN programs of the machine (old-programs.sh).
    'krug-programs' => sub {
        my $restart = qr/(?:no|always|unless-stopped|on-failure(?::\d{1,9})?)/;
        my $quick = qr/(?:wg|awg)-quick $PROGRAM [a-z-]{1,20}/;
        return join(' ', @_) =~ /^(?:look|stop_container $PROGRAM|start_container $PROGRAM $restart (?:yes|no)|retire_quick $quick|start_quick $quick (?:yes|no))$/;
    },
    'krug-setup' => sub { join(' ', @_) =~ /^(?:run $UUID \d{1,6} (?:docker|wireguard) \d{1,12} (?:docker|system)|cancel $UUID|leave [a-z_][a-z0-9_-]{0,31})$/ },
);

# What a resolver's config may have (hosts/resolver.ts): no line names a file or a program.
my $HOST = qr/(?:[a-z0-9_-]{1,63}\.){1,126}[a-z0-9-]{2,63}/;
my $SETS = qr/[46]#inet#krug#asked_[a-z0-9]{1,16}_v[46]/;
my $RESOLVER_LINE = qr{port=53\d\d|listen-address=[0-9a-f.:]{2,45}|server=(?:/$HOST/)?[0-9a-f.:]{2,45}(?:\@[0-9a-f.:]{2,45})?|bind-interfaces|no-(?:resolv|hosts|poll)|cache-size=0|max-ttl=\d{1,5}|dns-forward-max=\d{1,5}|filter-rr=HTTPS,SVCB|filter-AAAA|nftset=/$HOST/$SETS(?:,$SETS){0,40}};

# What `tc` may do: to the panel's own device only.
my $CLASS = qr/6b72:[0-9a-f]{1,4}/;
my $RATE = qr/\d{1,6}mbit/;
my $SPEED_LINE = qr{qdisc replace dev krug-speed root handle 6b72: htb|class replace dev krug-speed parent 6b72: classid $CLASS htb rate $RATE ceil $RATE burst \d{1,9} cburst \d{1,9} quantum 3000|qdisc replace dev krug-speed parent $CLASS handle [0-9a-f]{1,4}: bfifo limit \d{1,10}|class delete dev krug-speed classid $CLASS};

# To read a firewall, and to open it for a tunnel or undo that (hosts/refusing.ts).
sub fits_iptables {
    my $for_tunnel = qr/-i $NAME|-o $NAME -m conntrack --ctstate RELATED,ESTABLISHED/;
    return join(' ', @_) =~ /^(?:-S|-[ID] FORWARD (?:$for_tunnel) -m comment --comment krug -j ACCEPT)$/;
}

sub fits_tunnel_program {
    my ($verb, @rest) = @_;
    return 0 unless defined $verb && $verb =~ /^(?:show|set|addconf)$/;
    return 0 if $verb eq 'addconf' && ($rest[1] // '') ne '/dev/stdin';
    for my $at (0 .. $#rest) {
        return 0 if $rest[$at] =~ m{^/} && $rest[$at] ne '/dev/stdin';
        return 0 if $rest[$at] =~ /^(?:private|preshared)-key$/ && ($rest[ $at + 1 ] // '') ne '/dev/stdin';
    }
    return 1;
}

my $SETTING = qr{/proc/sys/net/ipv[46](?:/[\w.-]+){0,4}};
my $SOCKET = qr{/(?:var/)?run/(?:wireguard|amneziawg)/$NAME\.sock};
# Each by its name: links below /proc lead to every file of the machine.
my $READ_FROM_PROC = qr{/proc/(?:stat|meminfo|uptime|loadavg|self/status|sys/kernel/(?:hostname|ostype|random/boot_id)|net/(?:dev|udp6?|route|ipv6_route|ip6?_tables_names))};
my %MAY_TOUCH = (
    read => qr{^(?:$READ_FROM_PROC|$SETTING|/run/krug-resolver/[1-9]\d?/is|/etc/machine-id|/sys/module/amneziawg/version)\z},
    list => qr{^(?:$SETTING|/run/krug-resolver|/sys/class/net|/var/run/amneziawg)\z},
    write => qr{^$SETTING\z},
    probe => qr{^(?:$SETTING|/dev/net/tun)\z},
    identify => qr{^(?:$SETTING|$SOCKET|/sys/class/net/$NAME)\z},
    ask => qr{^$SOCKET\z},
);

my %MAY_SET = (LOG_LEVEL => qr/^(?:error|silent|verbose)$/);

sub may_run {
    my ($program, $stdin, @args) = @_;
    my $fits = $MAY_RUN{$program} or return 0;
    return 0 if grep { /[\0\n]/ } @args;
    # A ruleset could read other files; nft accepts `include` also right after another word.
    return 0 if $program eq 'nft' && defined $stdin && $stdin =~ /include/;
    return 0 if $program eq 'krug-resolver' && grep { !/^$RESOLVER_LINE\z/ } split /\n/, $stdin // '';
    return 0 if $program eq 'tc' && grep { !/^$SPEED_LINE\z/ } split /\n/, $stdin // '';
    return $fits->(@args);
}

# -----------------------------------------------------------------------------------------------------------------------

$SIG{PIPE} = 'IGNORE';
%ENV = %CLEAN_ENVIRONMENT;
umask 0077;
chdir '/';
binmode $_ for \*STDIN, \*STDOUT;

# Whether the tunnels have changed since they were last saved for a reboot; when to save them next.
my $is_changed = 0;
my $keep_at = 0;

# The club, number and token of the generation that the connected panel has claimed. Without one it may only read.
my @claim;

# By request ID: running programs and unanswered requests to sockets.
my %tasks;
my $input = '';

sub say_to_panel {
    my ($id, $word, @fields) = @_;
    my $rest = join(' ', $id, $word, map { length } @fields) . "\n" . join('', @fields);
    while (length $rest) {
        my $written = syswrite STDOUT, $rest;
        if (defined $written) { substr($rest, 0, $written) = '' }
        elsif ($! != EINTR) { leave() }
    }
}

# Seconds of a monotonic clock, to 10 ms.
sub now { return (POSIX::times())[0] / POSIX::sysconf(POSIX::_SC_CLK_TCK()) }

# Requests end with the panel's connection; programs started to persist (`start`) do not.
sub leave {
    for my $task (values %tasks) { kill 'KILL', -$task->{pid} if $task->{pid} && !$task->{stays} }
    spawn($SETUP, ['keep'], stays => 1) if $is_changed && -x $SETUP;
    exit 0;
}

sub note_change {
    return if $is_changed;
    $is_changed = 1;
    $keep_at = now() + 1 if $keep_at < now() + 1;
}

# Once for several changes, and for at most a twentieth of the time.
sub keep {
    $is_changed = 0;
    return unless -x $SETUP;
    my $task = spawn($SETUP, ['keep'], stays => 1);
    $tasks{keep} = { %$task, kind => 'keep', begun => now() } if ref $task;
}

my %CHANGES = (
    wg => qr/^(?:set|addconf) /,
    nft => qr/^(?:-f|delete) /,
    (map { ($_ => qr/^-[ID] /) } qw(iptables-nft ip6tables-nft iptables-legacy ip6tables-legacy)),
    ip => qr/\b(?:add|del|delete|replace|set)\b/,
    tc => qr/^-batch /,
    'wireguard-go' => qr/./,
    'krug-setup' => qr/./,
    'krug-programs' => qr/^(?:stop|start|retire)_/,
    'krug-resolver' => qr/./,
    $ENGINE => qr/./,
);
sub may_change { my ($program, @args) = @_; return $CHANGES{$program} && join(' ', @args) =~ $CHANGES{$program} }

sub path_of {
    my ($program) = @_;
    return -x $SETUP ? $SETUP : undef if $program eq 'krug-setup';
    return -x $RESOLVER ? $RESOLVER : undef if $program eq 'krug-resolver';
    return -x $PROGRAMS ? $PROGRAMS : undef if $program eq 'krug-programs';
    return -x $ENGINE ? $ENGINE : undef if $program eq $ENGINE;
    for (@FOLDERS) { return "$_/$program" if -f "$_/$program" && -x _ }
    return undef;
}

sub read_all {
    my ($path) = @_;
    sysopen(my $file, $path, O_RDONLY) or return undef;
    my $text = '';
    while (1) {
        my $got = sysread $file, $text, 65_536, length $text;
        next if !defined $got && $! == EINTR;
        return undef unless defined $got;
        last if $got == 0 || length $text > $QUESTION_LIMIT;
    }
    return $text;
}

# What a container has instead of the system.
my %INSIDE = map { $_ => 1 } 'wg', $ENGINE;
sub is_inside { return $INSIDE{ $_[0] } && -e $IN_CONTAINER }

# A connection to the container's first process; undef if it does not run: then it is restarted, after a while.
sub door {
    socket(my $door, PF_UNIX, SOCK_STREAM, 0) or return undef;
    return $door if connect $door, pack_sockaddr_un($DOOR);
    heal();
    return undef;
}

my $healed_at;

sub heal {
    return if $tasks{heal} || !@claim || newer_than(@claim) || !-x $SETUP;
    return if defined $healed_at && now() < $healed_at + $HEALED_EVERY_S;
    $healed_at = now();
    my $task = spawn($SETUP, ['container'], stays => 1);
    $tasks{heal} = { %$task, kind => 'heal', unheard => 1 } if ref $task;
}

# The path and arguments that run a program in the container, by its first process's PID.
sub in_container {
    my ($program, @args) = @_;
    my $door = door() or return;
    my $pid = unpack 'l', getsockopt($door, SOL_SOCKET, SO_PEERCRED);
    return (path_of('nsenter'), '--target', $pid, '--mount', '--pid', '--', $program, @args);
}

sub set_free { fcntl($_[0], F_SETFL, fcntl($_[0], F_GETFL, 0) | O_NONBLOCK) }

# Returns the process and our ends of its streams, or the error number that kept it from starting.
sub spawn {
    my ($path, $args, %how) = @_;
    pipe(my $fails, my $failed) or return $!;
    my ($in, $to, $out, $from, $err, $said);
    if ($how{stdin}) { pipe($in, $to) or return $! }
    if ($how{output}) { pipe($from, $out) && pipe($said, $err) or return $! }
    my $pid = fork();
    return $! + 0 unless defined $pid;
    if ($pid == 0) {
        $how{stays} ? POSIX::setsid() : setpgrp(0, 0);
        sysopen(my $nothing, '/dev/null', O_RDWR);
        POSIX::dup2(fileno($in // $nothing), 0);
        POSIX::dup2(fileno($out // $nothing), 1);
        POSIX::dup2(fileno($err // $nothing), 2);
        %ENV = (%CLEAN_ENVIRONMENT, %{ $how{environment} // {} });
        $SIG{PIPE} = 'DEFAULT';
        { no warnings; exec {$path} $path, @$args }
        syswrite $failed, $! + 0;
        POSIX::_exit(127);
    }
    close $failed;
    my $reason = '';
    while (!defined sysread $fails, $reason, 16) { last if $! != EINTR }
    if (length $reason) { waitpid $pid, 0; return $reason + 0 }
    set_free($_) for grep { defined } $to, $from, $said;
    return { pid => $pid, to => $to, from => $from, said => $said, stdin => $how{stdin} // '', stays => $how{stays} };
}

# The number, token and time of the generation last obeyed for a club.
sub remembered {
    my ($club) = @_;
    my $text = read_all("$MEMORY/$club");
    return defined $text && $text =~ /^(\d{1,15}) ($UUID) (\d{1,15})$/ ? ($1, $2, $3) : ();
}

# Those of a newer panel than the one of `$number` and `$token`; of equals the first is obeyed.
sub newer_than {
    my ($club, $number, $token) = @_;
    my @seen = remembered($club);
    return @seen && ($seen[0] > $number || ($seen[0] == $number && $seen[1] ne $token)) ? @seen : ();
}

sub memory_lock {
    mkdir $_ for $MEMORY =~ m{^(.+)/[^/]+$}, $MEMORY;
    sysopen(my $lock, "$MEMORY/lock", O_RDWR | O_CREAT, 0600) or return undef;
    return $lock;
}

# Changes are made under this lock, so that no newer panel takes over in the middle. Undef, after answering the panel, if it may
# not change anything.
sub hold_memory {
    my ($id) = @_;
    if (!@claim) { say_to_panel($id, 'unclaimed'); return undef }
    my $lock = memory_lock();
    if (!$lock || !flock $lock, LOCK_SH) { say_to_panel($id, 'unheld', "$MEMORY: $!"); return undef }
    my @newer = newer_than(@claim);
    return $lock unless @newer;
    say_to_panel($id, 'older', @newer);
    return undef;
}

# Obeys a panel, unless a newer one was obeyed before.
sub begin_claim {
    my ($id, $club, $number, $token, $since) = @_;
    my $fits = $club =~ /^$UUID\z/ && $token =~ /^$UUID\z/ && $number =~ /^\d{1,15}\z/ && $since =~ /^\d{1,15}\z/;
    return say_to_panel($id, 'forbidden') unless $fits;
    my $lock = memory_lock() or return say_to_panel($id, 'unheld', "$MEMORY: $!");
    my $until = now() + $CLAIM_WITHIN_S;
    until (flock $lock, LOCK_EX | LOCK_NB) {
        return say_to_panel($id, 'unheld', 'another panel is in the middle of a change') if now() > $until;
        select undef, undef, undef, 0.02;
    }
    my @newer = newer_than($club, $number, $token);
    return say_to_panel($id, 'older', @newer) if @newer;
    my @seen = remembered($club);
    if (!@seen || $seen[0] != $number) {
        my $path = "$MEMORY/$club";
        my $written = sysopen my $file, "$path.new", O_WRONLY | O_CREAT | O_TRUNC, 0600;
        $written &&= defined syswrite $file, "$number $token $since\n";
        # Otherwise a power cut could leave its name but not its bytes.
        $written &&= close $file && system('sync', "$path.new") == 0 && rename "$path.new", $path;
        return say_to_panel($id, 'unheld', "$path: $!") unless $written;
    }
    @claim = ($club, $number, $token);
    say_to_panel($id, 'is');
}

sub begin_run {
    my ($id, $program, $timeout_ms, $max, $has_stdin, $stdin, @args) = @_;
    my ($path, @given) = is_inside($program) ? in_container($program, @args) : (path_of($program), @args);
    return say_to_panel($id, 'ended', 125, '', 'the container with the tunnels does not run') if !$path && is_inside($program);
    return say_to_panel($id, 'missing') if !$path;
    my $lock;
    if (may_change($program, @args)) {
        $lock = hold_memory($id) or return;
        note_change() unless $program =~ /^krug-(?:setup|programs)$/;
    }
    my $task = spawn($path, \@given, output => 1, stdin => $has_stdin ? $stdin : undef);
    return say_to_panel($id, $task == ENOENT ? 'missing' : 'unstarted', "$task") unless ref $task;
    close_stream($task, 'to') if $task->{to} && !length $stdin;
    $tasks{$id} = { %$task, kind => 'run', out => '', err => '', max => $max, until => now() + $timeout_ms / 1000, lock => $lock };
}

sub begin_start {
    my ($id, $program, $environment, @args) = @_;
    return begin_inside($id, $program, @args) if is_inside($program);
    my %environment = map { split /=/, $_, 2 } split /\n/, $environment;
    my $path = path_of($program) or return say_to_panel($id, 'missing');
    my $lock = hold_memory($id) or return;
    note_change();
    my $task = spawn($path, \@args, stays => 1, environment => \%environment);
    return say_to_panel($id, $task == ENOENT ? 'missing' : 'unstarted', "$task") unless ref $task;
    $tasks{$id} = { %$task, kind => 'start' };
    say_to_panel($id, 'started');
}

# An engine in the container. Its first process reports how it ends, as long as we listen.
sub begin_inside {
    my ($id, $program, @args) = @_;
    my $lock = hold_memory($id) or return;
    my $door = door() or return say_to_panel($id, 'unstarted', 0 + ECONNREFUSED);
    note_change();
    syswrite $door, join(' ', 'start', $program, @args) . "\n";
    set_free($door);
    $tasks{$id} = { kind => 'start', from => $door, out => '', max => 4096, stays => 1 };
    say_to_panel($id, 'started');
}

sub begin_follow {
    my ($id, $program, @args) = @_;
    my $path = path_of($program) or return say_to_panel($id, 'end');
    # A set-up step takes minutes: a newer panel does not wait for its end.
    return if $program eq 'krug-setup' && !hold_memory($id);
    my $task = spawn($path, \@args, output => 1);
    return say_to_panel($id, 'end') unless ref $task;
    close_stream($task, 'said');
    $tasks{$id} = { %$task, kind => 'follow', out => '' };
}

sub begin_ask {
    my ($id, $path, $question, $end, $timeout_ms) = @_;
    my $lock;
    if ($question =~ /^set=/) {
        $lock = hold_memory($id) or return;
        note_change();
    }
    socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or return say_to_panel($id, 'lost', "$!");
    set_free($socket);
    unless (connect $socket, pack_sockaddr_un($path)) {
        return say_to_panel($id, $! == ENOENT || $! == ECONNREFUSED ? 'nobody' : 'lost', "$!");
    }
    $tasks{$id} =
      { kind => 'ask', from => $socket, to => $socket, stdin => $question, out => '', end => $end, until => now() + $timeout_ms / 1000, lock => $lock };
}

sub close_stream {
    my ($task, $which) = @_;
    my $stream = delete $task->{$which} or return;
    close $stream unless $task->{kind} && $task->{kind} eq 'ask' && ($task->{from} || $task->{to});
}

my %DO = (
    run => sub {
        my ($id, @fields) = @_;
        my ($program, $timeout_ms, $max, $has_stdin, $stdin, @args) = @fields;
        return say_to_panel($id, 'forbidden') unless may_run($program, $has_stdin ? $stdin : undef, @args);
        begin_run($id, @fields);
    },
    start => sub {
        my ($id, $program, $environment, @args) = @_;
        my $fits = may_run($program, undef, @args);
        for (split /\n/, $environment) {
            my ($name, $value) = split /=/, $_, 2;
            $fits = 0 unless $MAY_SET{$name} && $value =~ $MAY_SET{$name};
        }
        return say_to_panel($id, 'forbidden') unless $fits;
        begin_start($id, $program, $environment, @args);
    },
    follow => sub {
        my ($id, $program, @args) = @_;
        return say_to_panel($id, 'forbidden') unless may_run($program, undef, @args);
        begin_follow($id, $program, @args);
    },
    find => sub {
        my ($id, $program) = @_;
        # Whatever is in the container exists, whether or not the container runs just now.
        return say_to_panel($id, 'is', $program) if is_inside($program) && $program ne $ENGINE;
        my $path = $program =~ /^[\w.-]+$/ || $program eq $ENGINE ? path_of($program) : undef;
        say_to_panel($id, 'is', defined $path ? $path : ());
    },
    read => sub { my ($id, $path) = @_; my $text = read_all($path); say_to_panel($id, 'is', defined $text ? $text : ()) },
    write => sub {
        my ($id, $path, $text) = @_;
        my $lock = hold_memory($id) or return;
        my $written = sysopen my $file, $path, O_WRONLY | O_TRUNC;
        $written &&= defined syswrite $file, $text;
        $written ? say_to_panel($id, 'is') : say_to_panel($id, 'refused', "$!");
    },
    list => sub {
        my ($id, $path) = @_;
        opendir(my $folder, $path) or return say_to_panel($id, 'is');
        say_to_panel($id, 'is', grep { !/^\.\.?$/ } readdir $folder);
    },
    probe => sub { my ($id, $path) = @_; say_to_panel($id, 'is', sysopen(my $file, $path, O_RDWR) ? '1' : '0') },
    identify => sub {
        my ($id, $path) = @_;
        my $identity = identity_of($path);
        say_to_panel($id, 'is', defined $identity ? $identity : ());
    },
    ask => \&begin_ask,
    claim => \&begin_claim,
    # The generation last obeyed for a club, for a panel that only reads.
    remembered => sub { my ($id, $club) = @_; say_to_panel($id, 'is', $club =~ /^$UUID\z/ ? remembered($club) : ()) },
    # The SHA-256 of the engine's file.
    engine => sub { my ($id) = @_; my $sum = sum_of($ENGINE); say_to_panel($id, 'is', defined $sum ? $sum : ()) },
    # A piece of a new one, next to the current one. The first piece starts a new file.
    part => sub {
        my ($id, $at, $bytes) = @_;
        return say_to_panel($id, 'forbidden') unless $at =~ /^\d{1,9}$/;
        my $lock = hold_memory($id) or return;
        my $failure = add_part($at, $bytes);
        return say_to_panel($id, 'is') unless $failure;
        unlink "$ENGINE.new";
        say_to_panel($id, 'refused', $failure + 0, "$failure");
    },
    # Replaces the current one once it is complete.
    place => sub {
        my ($id, $sum) = @_;
        my $lock = hold_memory($id) or return;
        if ((sum_of("$ENGINE.new") // '') ne $sum) { unlink "$ENGINE.new"; return say_to_panel($id, 'other') }
        # Otherwise a power cut could leave its name but not its bytes.
        system 'sync', "$ENGINE.new";
        my $placed = $? == 0 && chmod(0755, "$ENGINE.new") && rename "$ENGINE.new", $ENGINE;
        # Tunnels that it runs continue without its name.
        unlink $OLD_ENGINE if $placed;
        $placed ? say_to_panel($id, 'is') : say_to_panel($id, 'refused', $! + 0, "$!");
    },
    # Gives a request up. A `run` or `follow` is killed, a started program is asked to end.
    stop => sub {
        my (undef, $id) = @_;
        my $task = $tasks{$id} or return;
        if ($task->{kind} eq 'start') {
            if ($task->{pid}) { kill 'TERM', $task->{pid} }
            else { syswrite $task->{from}, "stop\n" }
            return;
        }
        kill 'KILL', -$task->{pid} if $task->{pid};
        $task->{unheard} = 1;
        end_task($id) if $task->{kind} eq 'ask';
    },
);

# By a program: perl-base has no digests. No shell is involved.
sub sum_of {
    my ($path) = @_;
    return undef unless -f $path;
    open(my $said, '-|', 'sha256sum', '--', $path) or return undef;
    my $line = <$said> // '';
    close $said;
    return $line =~ /^([0-9a-f]{64}) / ? $1 : undef;
}

# Returns what kept it from being written. The piece it should follow may be another panel's.
sub add_part {
    my ($at, $bytes) = @_;
    return $! = EFBIG if $at + length $bytes > $ENGINE_LIMIT;
    sysopen(my $file, "$ENGINE.new", O_WRONLY | O_CREAT | O_APPEND | ($at == 0 ? O_TRUNC : 0), 0600) or return $!;
    return $! = EINVAL if -s $file != $at;
    while (length $bytes) {
        my $written = syswrite $file, $bytes;
        if (defined $written) { substr($bytes, 0, $written) = '' }
        elsif ($! != EINTR) { return $! }
    }
    return close $file ? 0 : $!;
}

sub identity_of {
    my ($inode, $changed) = (stat $_[0])[ 1, 10 ];
    return defined $inode ? "$inode $changed" : undef;
}

sub fits_path {
    my ($word, $path) = @_;
    return $path =~ $MAY_TOUCH{$word} && $path !~ m{(?:^|/)\.\.(?:/|$)};
}

sub heed {
    while ($input =~ /^(\d{1,15}) ([a-z]{1,10})((?: \d{1,9}){0,4000})\n/) {
        my ($id, $word, @lengths) = ($1, $2, split ' ', $3);
        my $at = $+[0];
        my $total = 0;
        $total += $_ for @lengths;
        exit 2 if $total > $QUESTION_LIMIT;
        return if length($input) < $at + $total;
        my @fields;
        for (@lengths) { push @fields, substr($input, $at, $_); $at += $_ }
        substr($input, 0, $at) = '';
        # Wraps another request: only while a path is what it was.
        if ($word eq 'only') {
            (my ($path, $was), $word) = splice @fields, 0, 3;
            if (!fits_path('identify', $path)) { say_to_panel($id, 'forbidden'); next }
            if ((identity_of($path) // '') ne $was) { say_to_panel($id, 'other'); next }
        }
        my $do = $DO{$word} or exit 2;
        if ($MAY_TOUCH{$word} && !fits_path($word, $fields[0])) { say_to_panel($id, 'forbidden') }
        else { $do->($id, @fields) }
    }
    exit 2 if length($input) > 65_536 && $input !~ /\n/;
}

sub end_task {
    my ($id, @answer) = @_;
    my $task = delete $tasks{$id} or return;
    close $_ for grep { defined } @$task{qw(from to said)};
    say_to_panel($id, @answer) if @answer && !$task->{unheard};
}

sub over {
    my ($id, $task, $why) = @_;
    $task->{why} //= $why;
    if ($task->{kind} eq 'ask') { end_task($id, 'lost', $why) }
    else { kill 'KILL', -$task->{pid} }
}

sub take_output {
    my ($id, $task) = @_;
    my $got = sysread $task->{from}, my $piece, 65_536;
    if (!defined $got) {
        return if $! == EINTR || $! == EAGAIN;
        return end_task($id, 'early', "$!") if $task->{kind} eq 'ask';
        $got = 0;
    }
    if ($got == 0) {
        return end_task($id, 'ended', $task->{out} =~ /^ended (\d+)\n/ ? $1 : '') if $task->{kind} eq 'start';
        return end_task($id, 'early', 'closed') if $task->{kind} eq 'ask';
        return close_stream($task, 'from');
    }
    $task->{out} .= $piece;
    if ($task->{kind} eq 'follow') {
        while ($task->{out} =~ s/^([^\n]*)\n//) { say_to_panel($id, 'line', $1) unless $task->{unheard} }
    }
    elsif ($task->{kind} eq 'ask') {
        end_task($id, 'is', $task->{out}) if substr($task->{out}, -length $task->{end}) eq $task->{end};
    }
    elsif (length $task->{out} > $task->{max}) { $task->{out} = ''; over($id, $task, 'flood') }
}

sub take_errors {
    my ($task) = @_;
    my $got = sysread $task->{said}, my $piece, 65_536;
    return if !defined $got && ($! == EINTR || $! == EAGAIN);
    return close_stream($task, 'said') unless $got;
    $task->{err} = substr($task->{err} . $piece, 0, $STDERR_LIMIT);
}

sub give_input {
    my ($id, $task) = @_;
    my $written = syswrite $task->{to}, $task->{stdin}, 65_536;
    if (defined $written) { substr($task->{stdin}, 0, $written) = '' }
    elsif ($! != EINTR && $! != EAGAIN) {
        return end_task($id, 'early', "$!") if $task->{kind} eq 'ask';
        $task->{stdin} = '';
    }
    close_stream($task, 'to') if !length $task->{stdin};
}

# Programs that ended, once their output is read to its end.
sub reap {
    for my $id (keys %tasks) {
        my $task = $tasks{$id};
        next unless $task->{pid};
        if (!defined $task->{status} && waitpid($task->{pid}, WNOHANG) == $task->{pid}) { $task->{status} = $? }
        next if !defined $task->{status} || $task->{from} || $task->{said};
        my $status = $task->{status};
        my $code = WIFEXITED($status) ? WEXITSTATUS($status) : '';
        if ($task->{kind} eq 'keep') {
            $keep_at = now() + 20 * (now() - $task->{begun});
            delete $tasks{$id};
            # A full disk, most likely.
            if ($status != 0) { $is_changed = 1; $keep_at = now() + 60 if $keep_at < now() + 60 }
        }
        elsif ($task->{kind} eq 'run') { end_task($id, $task->{why} // 'ended', $code, $task->{out}, $task->{err}) }
        else { end_task($id, $task->{kind} eq 'start' ? 'ended' : 'end', $code) }
    }
}

# A child's end interrupts the wait for input: `select` alone would sleep through one that had already closed its output.
pipe(my $child_ended, my $tell_ended) or die;
set_free($_) for $child_ended, $tell_ended;
$SIG{CHLD} = sub { local $!; syswrite $tell_ended, '.' };

say_to_panel(0, 'hello', $VERSION);
while (1) {
    my ($reads, $writes) = ('', '');
    vec($reads, fileno($_), 1) = 1 for \*STDIN, $child_ended;
    my $until;
    for my $task (values %tasks) {
        vec($reads, fileno($task->{from}), 1) = 1 if $task->{from};
        vec($reads, fileno($task->{said}), 1) = 1 if $task->{said};
        vec($writes, fileno($task->{to}), 1) = 1 if $task->{to} && length $task->{stdin};
        $until = $task->{until} if $task->{until} && !$task->{why} && (!defined $until || $task->{until} < $until);
    }
    $until = $keep_at if $is_changed && !$tasks{keep} && (!defined $until || $keep_at < $until);
    my $wait = defined $until ? $until - now() : undef;
    $wait = 0 if defined $wait && $wait < 0;
    my $ready = select($reads, $writes, undef, $wait);
    next if $ready < 0 && $! == EINTR;
    my $is = sub { my ($bits, $stream) = @_; $stream && vec($bits, fileno($stream), 1) };
    if ($ready > 0) {
        if ($is->($reads, $child_ended)) { sysread $child_ended, my $dots, 4096 }
        for my $id (keys %tasks) {
            my $task = $tasks{$id};
            take_output($id, $task) if $is->($reads, $task->{from});
            take_errors($task) if $tasks{$id} && $is->($reads, $task->{said});
            give_input($id, $task) if $tasks{$id} && $task->{to} && length $task->{stdin} && $is->($writes, $task->{to});
        }
    }
    reap();
    my $time = now();
    keep() if $is_changed && !$tasks{keep} && $keep_at <= $time;
    for my $id (keys %tasks) {
        my $task = $tasks{$id};
        over($id, $task, 'late') if $task && $task->{until} && !$task->{why} && $task->{until} <= $time;
    }
    if ($ready > 0 && vec($reads, fileno(STDIN), 1)) {
        my $got = sysread STDIN, $input, 262_144, length $input;
        leave() if defined $got && $got == 0;
        leave() if !defined $got && $! != EINTR && $! != EAGAIN;
        heed();
    }
}
