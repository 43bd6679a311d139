#!/bin/sh
# Programs that shut themselves or us out live, end as they do alone, and are
# looked at as far as can be.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
careless=$abs_top_builddir/tests/support/careless

# Filters: one that forbids restart_syscall kills a sleeper that any stop, or any
# signal, has woken.
what='a careless tracer of a sandbox'
status=0
"$careless" plain "$workloads/seccompy" 0.5 no_restart poked >out 2>err || status=$?
[ "$status" != 77 ] || exit 77
case $status in
0) complain 'does not kill it: this test cannot fail' ;;
esac
for way in list no_restart no_timers strict; do
	for trigger in timer interrupt; do
		what="seccompy $way poked under $trigger"
		status=0
		"$sampled" "$trigger" 1000 "$workloads/seccompy" 0.25 $way poked \
			>out 2>err || status=$?
		[ "$status" = 77 ] && continue
		ends_with 0
		grep -qx 'survived 1' out || complain "does not survive: $(cat out)"
		! grep -q '^eintr .*[1-9]' out || complain "naps end early: $(cat out)"
	done
done

# What is let go of has timers of ours, and may be killed for the call that
# deletes them.  A thread that has no filter makes it, or nobody does.
what='a sandboxed thread that is let go of'
profile --trigger=timer -d 1.2 "$workloads/seccompy" 4 list alone
[ "$status" = 77 ] || {
	ends_with 0
	! grep -q 'keeps timers' err || complain "is swept by nobody: $(cat err)"
	what='a sandbox that is let go of'
	profile --trigger=timer -d 1.2 "$workloads/seccompy" 4 list
	ends_with 0
	[ "$(grep -c 'keeps timers' err)" = 1 ] || complain "says: $(cat err)"
}
what='a sandbox that was left behind'
rm -f pid
# shellcheck disable=SC2016
"$PROFRUN" --trigger=timer -o left sh -c '"$0" 2 list >out & echo $! >pid' "$workloads/seccompy" \
	2>err &
profrun=$!
await grep -q 'left 1 process' err || :
if grep -qs '^Seccomp:.2' "/proc/$(cat pid)/status"; then
	kill -TERM "$profrun"
	wait "$profrun" || complain "profrun ends with $?"
	grep -q 'is not let go' err || complain "says: $(cat err)"
	grep -qx 'survived 1' out || complain "does not survive: $(cat out err)"
fi
wait

# sees FUNCTION: most of the profile is there.
sees() {
	awk -v share="$(share "$1")" 'BEGIN { exit !(share > 50) }' ||
		complain "does not see $1: $(cat err)"
}

# What runs a command without any privilege: for who has some.
as_nobody=
if [ "$(id -u)" = 0 ]; then
	as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	chmod 711 "$work"
fi
mkdir open
chmod 777 open
cp "$workloads/deaths" closed
cp "$workloads/deaths" suid
cp "$workloads/hides" hides
chmod 711 closed
chmod 4755 suid

under_nobody() {
	what="unprivileged: $*"
	status=0
	# shellcheck disable=SC2086
	(cd open && $as_nobody "$sampled" auto 250 "$@") >out 2>err || status=$?
}

# Whose memory is hidden has its ticks all the same.  (Only another owner's file
# can be hidden by its mode.)
if [ -n "$as_nobody" ] && $as_nobody "$sampled" auto 250 true 2>/dev/null; then
	under_nobody "$work/closed" exit 0.3 7
	ends_with 7
	[ "$(awk '$1 == "ticks" { print $2 }' err)" -gt 10 ] ||
		complain "is not looked at: $(cat err)"
	under_nobody "$work/hides" 0.3 dumpable
	ends_with 0
	[ "$(awk '$1 == "ticks" { print $2 }' err)" -gt 30 ] ||
		complain "is not looked at: $(cat err)"

	what='a program that may not be read'
	status=0
	(cd open && $as_nobody "$PROFRUN" -o x "$work/closed" exit 0.3 7) \
		>out 2>err || status=$?
	ends_with 7
	grep -q 'it is a program that may not be read' err ||
		complain "is not explained: $(cat err)"

	what='an unprivileged setuid program'
	status=0
	(cd open && $as_nobody "$PROFRUN" -o x ../suid exit 0.1 7) >out 2>err ||
		status=$?
	ends_with 7
	[ "$(grep -c "its caller's rights alone" err)" = 1 ] ||
		complain "is not told of once: $(cat err)"
	what='a setuid program of a privileged profrun'
	profile "$work/suid" exit 0.1 7
	ends_with 7
	! grep -q "rights alone" err || complain "is said to be cut down: $(cat err)"
fi

# What shuts itself in is seen with its names.
for way in dumpable chroot ptracer no_new_privs; do
	profile -F 250 "$workloads/hides" 0.3 $way
	[ "$status" != 77 ] || continue
	ends_with 0
	sees hidden
done

# Another user's, other processes', other files' names.
if unshare -Urpf --mount-proc true 2>/dev/null; then
	what='profrun as the first process of a namespace'
	status=0
	unshare -Urpf --mount-proc "$PROFRUN" -F 250 "$workloads/hides" 0.3 plain \
		>out 2>err || status=$?
	ends_with 0
	sees hidden
	for end in 'exit 5:5' 'kill -TERM $$:143' 'kill -SEGV $$:139'; do
		status=0
		unshare -Urpf --mount-proc "$PROFRUN" -q sh -c "${end%:*}" \
			2>err || status=$?
		ends_with "${end##*:}"
	done
	profile -F 250 unshare -Ur "$workloads/hides" 0.3 plain
	ends_with 0
	sees hidden

	# Inside, other numbers are the threads': they have their timers all the
	# same, also those that one of them makes for the others.
	profile --trigger=timer unshare -Urpf --mount-proc "$workloads/threads" 2 0.3
	ends_with 0
	! grep -q 'could not have the first' err || complain "says: $(cat err)"
fi
if unshare -Urm mount -t tmpfs none /mnt 2>/dev/null; then
	# shellcheck disable=SC2016
	profile -F 250 unshare -Urm sh -c 'mount -t tmpfs none /mnt &&
		cp "$0" /mnt/inside && exec /mnt/inside 0.3 plain' "$workloads/hides"
	ends_with 0
	sees hidden
fi

# profrun itself may be kept from waiting: it ends, and says so.
refusing=$abs_top_builddir/tests/support/refusing
for call in wait4 waitid; do
	"$refusing" $call true || continue
	what="profrun without $call"
	status=0
	timeout -s KILL 60 "$refusing" $call "$PROFRUN" "$workloads/shares" 0.1 \
		>out 2>err || status=$?
	ends_with 125
	[ "$(cat err)" = \
		'profrun: the program cannot be waited for: Operation not permitted' ] ||
		complain "says: $(cat err)"
done
exit "$bad"
