#!/usr/bin/perl
# The first process of the container with a server's tunnels (docs/adr/0096-tunnels-in-a-container.md): restores the saved
# tunnels, starts engines that the helper requests over its socket, and reaps those that end.
use strict;
use warnings;
use Errno qw(EAGAIN EINTR);
use Fcntl;
use POSIX qw(:signal_h :sys_wait_h);
use Socket;

my $FOLDER = '/usr/local/lib/krug';
my $DOOR = '/run/krug/tunnels.sock';
my $NAME = qr/[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}/;
# One line, as the helper sends it.
my $QUESTION = qr{^start ($FOLDER/engine --foreground (?:--type wireguard )?$NAME)\n\z};

$SIG{PIPE} = 'IGNORE';
# The kernel ends the other processes with it.
$SIG{TERM} = $SIG{INT} = sub { exit 0 };
umask 0077;

pipe(my $child_ended, my $tell_ended) or die;
set_free($_) for $child_ended, $tell_ended;
$SIG{CHLD} = sub { local $!; syswrite $tell_ended, '.' };

sub set_free { fcntl($_[0], F_SETFL, fcntl($_[0], F_GETFL, 0) | O_NONBLOCK) }

# A signal between fork and exec would set off this program's handler in the child, or be lost with it.
my $OWN_SIGNALS = POSIX::SigSet->new(SIGTERM, SIGINT);

sub start {
    my (@command) = @_;
    sigprocmask(SIG_BLOCK, $OWN_SIGNALS);
    my $pid = fork();
    $SIG{TERM} = $SIG{INT} = 'DEFAULT' if defined $pid && !$pid;
    sigprocmask(SIG_UNBLOCK, $OWN_SIGNALS);
    return undef unless defined $pid;
    return $pid if $pid;
    POSIX::setsid();
    $ENV{LOG_LEVEL} = 'error';
    { no warnings; exec {$command[0]} @command }
    POSIX::_exit(127);
}

unlink $DOOR;
my $is_open = socket(my $door, PF_UNIX, SOCK_STREAM, 0);
$is_open && bind($door, pack_sockaddr_un($DOOR)) && listen($door, 64) or die "$DOOR: $!\n";
set_free($door);
start("$FOLDER/setup", 'restore');

# By file number: the client, its input so far, and the process that was started for it.
my %visitors;

sub bid_farewell { my ($visitor) = @_; delete $visitors{ fileno $visitor->{stream} }; close $visitor->{stream} }

sub heed {
    my ($visitor) = @_;
    my $got = sysread $visitor->{stream}, $visitor->{said}, 4096, length $visitor->{said};
    return if !defined $got && ($! == EINTR || $! == EAGAIN);
    # A client that only came for our PID, or no longer waits for an engine's end.
    return bid_farewell($visitor) if !$got || length $visitor->{said} > 4096;
    if ($visitor->{pid}) { kill 'TERM', $visitor->{pid} if $visitor->{said} eq "stop\n"; return }
    return unless $visitor->{said} =~ /\n/;
    return bid_farewell($visitor) unless $visitor->{said} =~ $QUESTION;
    $visitor->{said} = '';
    $visitor->{pid} = start(split / /, $1);
    bid_farewell($visitor) unless $visitor->{pid};
}

while (1) {
    my $reads = '';
    vec($reads, fileno($_), 1) = 1 for $door, $child_ended, map { $_->{stream} } values %visitors;
    my $ready = select($reads, undef, undef, undef);
    next if $ready < 0;
    if (vec($reads, fileno($child_ended), 1)) { sysread $child_ended, my $dots, 4096 }
    for my $visitor (values %visitors) { heed($visitor) if vec($reads, fileno($visitor->{stream}), 1) }
    if (vec($reads, fileno($door), 1) && accept(my $stream, $door)) {
        set_free($stream);
        $visitors{ fileno $stream } = { stream => $stream, said => '' };
    }
    while ((my $pid = waitpid -1, WNOHANG) > 0) {
        my $code = WIFEXITED($?) ? WEXITSTATUS($?) : '';
        for my $visitor (grep { ($_->{pid} // 0) == $pid } values %visitors) {
            syswrite $visitor->{stream}, "ended $code\n";
            bid_farewell($visitor);
        }
    }
}
