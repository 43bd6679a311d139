#!/bin/sh
# A stack that was made to be hard to unwind takes little time: of a large function
# without CFI, with return addresses alone on the stack, as far as it is read.
# "what" is for complain, in measure.sh.
# shellcheck disable=SC2034
set -eu
. "$abs_top_srcdir/tests/cli/measure.sh"
what=forged.sh
[ "$(uname -m)" = x86_64 ] || skip "the program is for x86-64"

cat >forge.S <<'EOS'
	.text
	.globl forge
	.type forge,@function
	.p2align 4
forge:	jmp 2f
	.rept 10200
	call *%rax
	add $1,%rcx
	.endr
	ud2
	/* rdi: the lowest address of the stack, rsi: how many words it has. */
2:	mov %rdi,%rsp
	lea forge+10003(%rip),%rax
	lea forge+60000(%rip),%r8
	mov %rax,%rdx
3:	mov %rdx,(%rdi)
	add $8,%rdi
	add $6,%rdx
	cmp %r8,%rdx
	cmovae %rax,%rdx
	dec %rsi
	jnz 3b
	mov $1500000000,%rcx
	xor %ebp,%ebp
	dec %rbp
4:	dec %rcx
	jnz 4b
	mov $60,%eax
	xor %edi,%edi
	syscall
	.size forge,.-forge
	.section .note.GNU-stack,"",@progbits
EOS
cat >main.c <<'EOC'
#include <stddef.h>
#include <sys/mman.h>

extern void forge(char *stack, size_t n_words);

int
main(void)
{
	size_t size = 900 << 10;
	char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	forge(stack, size / 8 - 16);
	return 1;
}
EOC
$CC -O2 -o forge forge.S main.c
for trigger in $(silent_triggers); do
	# It took two seconds for each sample.
	what="--trigger=$trigger"
	status=0
	timeout -s KILL 60 "$PROFRUN" -g --trigger="$trigger" -f pcsample \
		-o forge.trace ./forge 2>err || status=$?
	[ "$status" = 0 ] || complain "status $status: $(cat err)"
	"$PROFRUN" report forge.trace >out
	grep -q ' 100.0 % complete' out && complain "it is complete"
	grep -q forge out || complain "no sample of it"
done
exit "$bad"
