#!/bin/sh
# A program of 32 bits, made by hand: it is looked at, its calls are repaired, and
# gprof reads its gmon.out of 4-byte addresses.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"

# It works for a while in two functions, one three times as much as the other; then
# waits in epoll_wait for 20 ms, ten times, and exits with how many of these ended
# early, or 100 if none did.
cat >program.s <<'EOF'
	.text
	.globl	_start
	.type	burn_one, @function
burn_one:
	movl	$20000000, %ecx
1:	decl	%ecx
	jnz	1b
	ret
	.size	burn_one, .-burn_one
	.type	burn_three, @function
burn_three:
	movl	$60000000, %ecx
1:	decl	%ecx
	jnz	1b
	ret
	.size	burn_three, .-burn_three
	.type	_start, @function
_start:
	movl	$10, %esi
1:	call	burn_one
	call	burn_three
	decl	%esi
	jnz	1b
	movl	$329, %eax		# epoll_create1
	xorl	%ebx, %ebx
	int	$0x80
	movl	%eax, %ebp
	movl	$10, %edi
	subl	$16, %esp
	pushl	$0
2:	movl	$256, %eax		# epoll_wait
	movl	%ebp, %ebx
	leal	4(%esp), %ecx
	movl	$1, %edx
	pushl	%edi
	movl	$20, %esi
	int	$0x80
	popl	%edi
	testl	%eax, %eax
	jz	3f
	incl	(%esp)
3:	decl	%edi
	jnz	2b
	popl	%ebx
	testl	%ebx, %ebx
	jnz	4f
	movl	$100, %ebx
4:	movl	$1, %eax		# exit
	int	$0x80
	.size	_start, .-_start
	.section .note.GNU-stack,"",@progbits
EOF
if ! as --32 -o program.o program.s 2>as.err ||
	! ld -m elf_i386 -o program program.o 2>ld.err; then
	cat ./*.err >&2
	exit 77
fi
status=0
./program 2>/dev/null || status=$?
if [ "$status" != 100 ]; then
	echo "this kernel runs no programs of 32 bits: $status" >&2
	exit 77
fi

profile -F 250 ./program
ends_with 100
check_shares() {
	awk -v one="$(share burn_one)" -v three="$(share burn_three)" 'BEGIN {
		exit !(one > 15 && one < 35 && three > 65 && three < 85)
	}'
}
again() {
	check_shares && return
	profile -F 250 ./program
	ends_with 100
	check_shares
}
again || complain "wrong shares: $(cat err)"
# Whatever it is that samples, it is not the timer.
profile -g -F 250 ./program
ends_with 100
! grep -Eq '^  trigger  *timer' err || complain "has the timer: $(cat err)"

# A histogram's header is 1 byte of tag and two addresses: 4 bytes each.
low=$(od -An -tx4 -j21 -N4 gmon.out | tr -d ' ')
case $low in
0804*) ;;
*) complain "gmon.out has no 4-byte address at 21: $low" ;;
esac
gprof -b -p ./program gmon.out >flat.txt 2>gprof.err || complain "gprof: $(cat gprof.err)"
flat flat.txt >lines
awk '$3 == "burn_three" { found = $1 } END { exit !(found > 60 && found < 90) }' lines ||
	complain "gprof reads it otherwise: $(cat flat.txt)"

# A signal that it ignores ends none of its waits.  (Of 20 ms: one that comes
# more often begins them anew for ever.)
poke='while kill -WINCH $$ 2>/dev/null; do sleep 0.05; done'
for under in "$sampled interrupt 1000" "$abs_top_builddir/tests/support/careless plain"; do
	what="$under of signals that 32 bits ignore"
	for attempt in 1 2 3 4 5; do
		status=0
		$under sh -c "($poke) & exec ./program" >/dev/null 2>&1 || status=$?
		case $under in
		*careless*)
			[ "$status" = 100 ] || continue 2
			echo "$what: not noticed, attempt $attempt" >&2
			;;
		*)
			[ "$status" = 100 ] || complain "ends $status waits"
			continue 2
			;;
		esac
	done
	complain 'ends no wait: this test cannot fail'
done
exit "$bad"
